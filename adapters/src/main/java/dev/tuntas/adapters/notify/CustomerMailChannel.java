package dev.tuntas.adapters.notify;

import dev.tuntas.notify.Channel;
import dev.tuntas.notify.Contacts;
import dev.tuntas.notify.CustomerText;

/// Tells customers by mail, in their language, if they left an address.
public final class CustomerMailChannel implements Channel {

  private final Smtp smtp;
  private final Contacts contacts;

  public CustomerMailChannel(Smtp smtp, Contacts contacts) {
    this.smtp = smtp;
    this.contacts = contacts;
  }

  @Override
  public String name() {
    return "customer-mail";
  }

  @Override
  public Audience audience() {
    return Audience.CUSTOMER;
  }

  @Override
  public Receipt send(Parcel parcel) {
    var notice = Letters.notice(parcel);
    if (notice.topic().isPush()) return new Receipt.Nobody("it is for a phone");
    var contact = contacts.of(notice.orderId()).orElse(null);
    var email = contact == null ? null : contact.email();
    if (email == null) return new Receipt.Nobody("there is no address");
    var text = CustomerText.of(notice, contact);
    return smtp.send(
        new Smtp.Mail(parcel.cause(), email, text.subject(), text.body(), parcel.at()));
  }
}
