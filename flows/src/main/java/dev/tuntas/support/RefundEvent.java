package dev.tuntas.support;

import dev.tuntas.money.Money;
import dev.tuntas.saga.Notice;
import dev.tuntas.store.JacksonDataCodec;
import org.jspecify.annotations.Nullable;

/// What became of a refund that a person asked for: the body of its saga's notices.
///
/// @param returned what was given back, with `DONE`
/// @param error what went wrong, otherwise
public record RefundEvent(
    String refundId,
    String orderId,
    Result result,
    @Nullable Money returned,
    @Nullable String error) {

  public enum Result {
    DONE,
    /// Certainly not, and it will not be tried again.
    REFUSED,
    /// Nobody knows, and a person must find out.
    HELD
  }

  /// The type of every notice about a refund.
  public static final String TYPE = "support.refund";

  private static final JacksonDataCodec JSON = new JacksonDataCodec();

  Notice notice() {
    return new Notice(TYPE, JSON.encode(this, RefundEvent.class));
  }

  /// Reads the body of such a notice.
  public static RefundEvent read(String body) {
    return JSON.decode(body, RefundEvent.class);
  }
}
