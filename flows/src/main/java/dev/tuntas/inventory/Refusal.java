package dev.tuntas.inventory;

/// A clear no. Thrown out of a transaction, it takes back all that was done in it.
final class Refusal extends RuntimeException {

  /// The code of a key that was used for something else.
  static final String KEY_REUSED = "idempotency_key_reused";

  /// The code of an order that gave everything back.
  static final String RELEASED = "released";

  private static final long serialVersionUID = 1L;

  private final String code;
  private final String detail;

  Refusal(String code, String detail) {
    super(detail, null, false, false);
    this.code = code;
    this.detail = detail;
  }

  /// Whether the same request would be refused for ever, without being remembered.
  boolean staysByItself() {
    return code.equals(KEY_REUSED) || code.equals(RELEASED);
  }

  String code() {
    return code;
  }

  String detail() {
    return detail;
  }
}
