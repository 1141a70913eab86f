package dev.tuntas.adapters.notify;

import dev.tuntas.notify.Channel;

/// Tells the support team by mail.
public final class SupportMailChannel implements Channel {

  public static final String DEFAULT_RECIPIENT = "supporting-reservation@bluebird.id";

  private final Smtp smtp;
  private final String recipient;

  public SupportMailChannel(Smtp smtp, String recipient) {
    this.smtp = smtp;
    this.recipient = recipient;
  }

  @Override
  public String name() {
    return "mail";
  }

  @Override
  public Audience audience() {
    return Audience.SUPPORT;
  }

  @Override
  public Receipt send(Parcel parcel) {
    var alerts = Letters.alerts(parcel);
    var subject = AlertText.subject(alerts);
    return smtp.send(
        new Smtp.Mail(parcel.cause(), recipient, subject, AlertText.of(alerts), parcel.at()));
  }
}
