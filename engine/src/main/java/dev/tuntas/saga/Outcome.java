package dev.tuntas.saga;

import java.util.function.Function;

/// What is known after one attempt. There is no fourth case, and an exception is not a case: the
/// engine reads it as `Unclear`.
public sealed interface Outcome<D> {

  /// The effect happened. `data` is the order as it is now.
  record Succeeded<D>(D data) implements Outcome<D> {}

  /// The effect certainly did not happen.
  record Failed<D>(Failure failure) implements Outcome<D> {}

  /// The effect may have happened: a read timeout, a crash, a "202 Accepted".
  record Unclear<D>(String why, Doubt doubt) implements Outcome<D> {}

  /// Where doubt comes from. Only the first counts against the lane's breaker.
  enum Doubt {
    /// The other side gave no answer, or none that can be understood.
    NO_ANSWER,
    /// The other side is well and just not finished.
    PENDING,
    /// Our own side is to blame: our database lost what was done, or may have.
    OURS
  }

  /// The same with other data, if there is any.
  default <R> Outcome<R> map(Function<? super D, ? extends R> change) {
    return switch (this) {
      case Succeeded<D>(var data) -> new Succeeded<>(change.apply(data));
      case Failed<D>(var failure) -> new Failed<>(failure);
      case Unclear<D>(var why, var doubt) -> new Unclear<>(why, doubt);
    };
  }

  static <D> Outcome<D> done(D data) {
    return new Succeeded<>(data);
  }

  static <D> Outcome<D> declined(String code, String detail) {
    return new Failed<>(new Failure.Declined(code, detail));
  }

  static <D> Outcome<D> barred(String code, String detail) {
    return new Failed<>(new Failure.Barred(code, detail));
  }

  static <D> Outcome<D> unavailable(String code, String detail) {
    return new Failed<>(new Failure.Unavailable(code, detail, null));
  }

  /// Our own side could not do it, and nothing happened. Nobody else is to blame.
  static <D> Outcome<D> unavailableHere(String code, String detail) {
    return new Failed<>(new Failure.Unavailable(code, detail, null, true));
  }

  /// For a probe: the other side has no trace of the effect.
  static <D> Outcome<D> absent(String detail) {
    return new Failed<>(new Failure.Absent("NOT_FOUND", detail));
  }

  /// Nobody knows: a timeout, a lost connection, a server error.
  static <D> Outcome<D> unclear(String why) {
    return new Unclear<>(why, Doubt.NO_ANSWER);
  }

  /// Nobody knows, and our own side is to blame, not the partner.
  static <D> Outcome<D> unclearHere(String why) {
    return new Unclear<>(why, Doubt.OURS);
  }

  /// The other side took it and has not finished: "202 Accepted", "not yet assigned".
  static <D> Outcome<D> pending(String why) {
    return new Unclear<>(why, Doubt.PENDING);
  }
}
