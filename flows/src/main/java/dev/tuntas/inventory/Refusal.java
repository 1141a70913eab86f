package dev.tuntas.inventory;

/// A clear no. Thrown out of a transaction, it takes back all that was done in it.
final class Refusal extends RuntimeException {

  /// The code of a key that was used for something else.
  static final String KEY_REUSED = "idempotency_key_reused";

  private static final long serialVersionUID = 1L;

  private final String code;
  private final String detail;

  Refusal(String code, String detail) {
    super(detail, null, false, false);
    this.code = code;
    this.detail = detail;
  }

  String code() {
    return code;
  }

  String detail() {
    return detail;
  }
}
