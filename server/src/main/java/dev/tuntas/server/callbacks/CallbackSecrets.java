package dev.tuntas.server.callbacks;

import dev.tuntas.adapters.notify.WebhookSignature;
import dev.tuntas.server.http.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The secrets with which a partner may sign. One that was replaced is good until its time is over.
public final class CallbackSecrets {

  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

  /// @param until when it is no longer good; null for the one in use
  public record Secret(WebhookSignature signature, @Nullable Instant until) {
    boolean isGood(Instant now) {
      return until == null || now.isBefore(until);
    }
  }

  private final List<Secret> secrets;
  private final InstantSource clock;

  public CallbackSecrets(List<Secret> secrets, InstantSource clock) {
    this.secrets = List.copyOf(secrets);
    this.clock = clock;
  }

  /// Ends the request unless the callback is recent and signed by the partner.
  void require(SignedCallback callback) {
    var now = clock.instant();
    if (!isRecent(callback.timestamp(), now)) {
      throw Problem.of(
              401,
              "timestamp_out_of_window",
              "webhook-timestamp must be within five minutes of now, in seconds since 1970.")
          .asException();
    }
    if (!callback.isNamed() || !isSigned(callback, now)) {
      throw Problem.of(
              401, "signature_invalid", "The signature does not fit id, timestamp and body.")
          .asException();
    }
  }

  private static boolean isRecent(String timestamp, Instant now) {
    if (!SECONDS.matcher(timestamp).matches()) return false;
    long difference = Long.parseLong(timestamp) - now.getEpochSecond();
    return Math.abs(difference) <= WINDOW.toSeconds();
  }

  private boolean isSigned(SignedCallback callback, Instant now) {
    boolean signed = false;
    for (var secret : secrets) {
      signed |=
          secret.isGood(now)
              && secret
                  .signature()
                  .isIn(callback.signature(), callback.id(), callback.timestamp(), callback.body());
    }
    return signed;
  }
}
