package dev.tuntas.saga;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A clear failure, as data. Stored, shown to the operator, and mapped to HTTP in one place. `code`
/// is stable and safe to match on; `detail` is for people and never parsed.
public sealed interface Failure {
  String code();

  String detail();

  /// The other side understood and said no. Asking again will not help.
  record Declined(String code, String detail) implements Failure {}

  /// The other side lets none of us in, whatever is asked: a wrong credential. This request is not
  /// repeated, and nobody else is sent there for a while.
  record Barred(String code, String detail) implements Failure {}

  /// The request never took effect. Repeating it is safe. From a probe it means that the question
  /// could not be asked, so that doubt remains.
  ///
  /// @param ours whether our own side is to blame: our database did not answer, or the call was not
  ///   made. It does not count against the partner
  record Unavailable(String code, String detail, @Nullable Duration retryAfter, boolean ours)
      implements Failure {

    public Unavailable(String code, String detail, @Nullable Duration retryAfter) {
      this(code, detail, retryAfter, false);
    }
  }

  /// A probe found no trace of the effect. Believed only once no call can still be under way.
  record Absent(String code, String detail) implements Failure {}

  /// Time ran out before the work was finished.
  record Expired(String code, String detail) implements Failure {}

  /// A person or a client wanted it undone.
  record Cancelled(String code, String detail) implements Failure {}

  /// The program is at fault, not the other side: a person must look.
  record Broken(String code, String detail) implements Failure {}
}
