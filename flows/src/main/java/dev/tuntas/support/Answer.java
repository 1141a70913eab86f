package dev.tuntas.support;

/// What came of a person's wish.
public sealed interface Answer<T> {

  /// @param repeated it had been done before, for the same request
  record Done<T>(T value, boolean repeated) implements Answer<T> {}

  record Refused<T>(Refusal refusal) implements Answer<T> {}

  static <T> Answer<T> done(T value) {
    return new Done<>(value, false);
  }

  static <T> Answer<T> again(T value) {
    return new Done<>(value, true);
  }

  static <T> Answer<T> refused(Refusal refusal) {
    return new Refused<>(refusal);
  }
}
