package dev.tuntas.adapters.notify;

import dev.tuntas.adapters.notify.SmtpSettings.Security;
import dev.tuntas.notify.Channel.Receipt;
import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.Properties;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.jspecify.annotations.Nullable;

/// Sends plain text by mail. What it says about failures names no recipient.
public final class Smtp {

  /// A mail to one person. The same `cause` gives the same `Message-ID`, so that mail programs show
  /// a repetition once.
  record Mail(String cause, String to, String subject, String text, Instant at) {}

  private final SmtpSettings settings;
  private final InternetAddress from;
  private final Session session;

  /// Refuses a sender that is no address.
  public Smtp(SmtpSettings settings) {
    this.settings = settings;
    try {
      this.from = address(settings.from());
    } catch (AddressException e) {
      throw new IllegalArgumentException("'" + settings.from() + "' is no mail address", e);
    }
    this.session = Session.getInstance(properties(settings), login(settings));
  }

  private static Properties properties(SmtpSettings settings) {
    var millis = Long.toString(settings.timeout().toMillis());
    var all = new Properties();
    all.put("mail.smtp.host", settings.host());
    all.put("mail.smtp.port", Integer.toString(settings.port()));
    all.put("mail.smtp.connectiontimeout", millis);
    all.put("mail.smtp.timeout", millis);
    all.put("mail.smtp.writetimeout", millis);
    all.put("mail.smtp.auth", Boolean.toString(settings.user() != null));
    boolean startTls = settings.security() == Security.STARTTLS;
    all.put("mail.smtp.starttls.enable", Boolean.toString(startTls));
    all.put("mail.smtp.starttls.required", Boolean.toString(startTls));
    all.put("mail.smtp.ssl.enable", Boolean.toString(settings.security() == Security.TLS));
    all.put("mail.smtp.ssl.checkserveridentity", "true");
    return all;
  }

  private static @Nullable Authenticator login(SmtpSettings settings) {
    if (settings.user() == null) return null;
    var login = new PasswordAuthentication(settings.user(), settings.password());
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        return login;
      }
    };
  }

  Receipt send(Mail mail) {
    InternetAddress to;
    try {
      to = address(mail.to);
    } catch (AddressException e) {
      return new Receipt.Refused("the recipient's address is none");
    }
    try {
      Transport.send(message(mail, to));
      return new Receipt.Sent();
    } catch (MessagingException e) {
      return failed(e);
    }
  }

  /// Exactly one address, and nothing that could begin a header.
  private static InternetAddress address(String text) throws AddressException {
    if (!text.chars().allMatch(c -> c > ' ' && c < 127)) throw new AddressException("no address");
    var address = new InternetAddress(text, true);
    address.validate();
    if (address.isGroup() || !text.contains("@")) throw new AddressException("no address");
    return address;
  }

  private MimeMessage message(Mail mail, InternetAddress to) throws MessagingException {
    var id = "<" + hash(mail.cause) + "@" + from.getAddress().replaceFirst(".*@", "") + ">";
    var message =
        new MimeMessage(session) {
          @Override
          protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", id);
          }
        };
    message.setFrom(from);
    message.setRecipient(Message.RecipientType.TO, to);
    message.setSubject(mail.subject.replaceAll("\\p{Cntrl}", " "), "UTF-8");
    message.setText(mail.text, "UTF-8", "plain");
    message.setSentDate(Date.from(mail.at));
    message.setHeader("Auto-Submitted", "auto-generated");
    return message;
  }

  private static String hash(String cause) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(cause.getBytes(StandardCharsets.UTF_8)), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has SHA-256
    }
  }

  /// What a server says often repeats the address, so only its code is kept.
  private Receipt failed(MessagingException failure) {
    for (Exception e = failure; e instanceof MessagingException m; e = m.getNextException()) {
      int code =
          switch (e) {
            case SMTPAddressFailedException refused -> refused.getReturnCode();
            case SMTPSendFailedException refused -> refused.getReturnCode();
            default -> 0;
          };
      if (code / 100 == 5) return new Receipt.Refused("SMTP " + code);
      if (code != 0) return new Receipt.Later("SMTP " + code, null);
    }
    var what = failure instanceof SendFailedException ? "it was not taken" : "no mail server";
    return new Receipt.Later(
        what + ": " + failure.getClass().getSimpleName() + " at " + settings.host(), null);
  }
}
