package dev.tuntas.bench;

/// The data of a checkout: about 150 bytes as JSON.
record Order(
    String orderId,
    String customerId,
    String sku,
    int quantity,
    long amount,
    String currency,
    String status) {

  static Order of(String id) {
    return new Order(id, "cus-104217", "SKU-17", 2, 150_000, "IDR", "ACCEPTED");
  }

  Order paid() {
    return with("PAYMENT_COMPLETE");
  }

  Order committed() {
    return with("INVENTORY_COMMITTED");
  }

  Order confirmed() {
    return with("CONFIRMED");
  }

  private Order with(String now) {
    return new Order(orderId, customerId, sku, quantity, amount, currency, now);
  }
}
