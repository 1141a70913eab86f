package dev.tuntas.orders;

import org.jspecify.annotations.Nullable;

/// What was heard of clients' keys lately. All of it is a hint: whoever acts on it must do the same
/// in the end if it is wrong. Nobody waits for it longer than a moment, and it never throws.
public interface KeyHints {

  KeyHints NONE =
      new KeyHints() {
        @Override
        public Hint claim(String client, String key) {
          return new Hint.Untold();
        }

        @Override
        public void used(String client, String key, Use use) {}

        @Override
        public void forget(String client, String key) {}
      };

  /// What is told of a key.
  sealed interface Hint {

    /// Nobody has used it, as it seems. From now on it is said to be in progress.
    record New() implements Hint {}

    /// It was used, as it seems for this.
    record Used(Use use) implements Hint {}

    /// It is in progress, or nothing is known.
    record Untold() implements Hint {}
  }

  /// What a key was used for.
  ///
  /// @param error the code of the final answer, if the order failed and that was told
  record Use(String orderId, String fingerprint, @Nullable String error) {}

  Hint claim(String client, String key);

  /// To be told once the order is durable.
  void used(String client, String key, Use use);

  /// To be told when nothing came of a claim, or when a hint was wrong.
  void forget(String client, String key);
}
