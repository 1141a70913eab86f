package dev.tuntas.adapters.notify;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How to reach a mail server. Without a user, nobody logs in.
///
/// @param from the sender of every mail
public record SmtpSettings(
    String host,
    int port,
    Security security,
    @Nullable String user,
    @Nullable String password,
    String from,
    Duration timeout) {

  public enum Security {
    /// For a server on this machine only.
    NONE,
    /// Begins in the open and insists on TLS.
    STARTTLS,
    TLS
  }

  @Override
  public String toString() {
    return "SmtpSettings[" + host + ":" + port + ", " + security + ", from " + from + "]";
  }
}
