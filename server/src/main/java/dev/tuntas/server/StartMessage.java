package dev.tuntas.server;

import dev.tuntas.server.access.Credentials;
import dev.tuntas.server.pages.PublicAddress;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/// Says where the server is, where its keys are, and how to place a first order.
@Component
final class StartMessage {

  private static final String ORDER =
      """
      {"kind":"checkout","customer_id":"cus-1","payment_method":"pm_ok",\
      "lines":[{"sku":"SKU-1","quantity":1}]}\
      """;

  private final PublicAddress address;
  private final Credentials credentials;

  StartMessage(PublicAddress address, Credentials credentials) {
    this.address = address;
    this.credentials = credentials;
  }

  @EventListener(ApplicationReadyEvent.class)
  void print() {
    IO.println(text());
  }

  /// The order is one line, so that it can be pasted anywhere.
  String text() {
    return """

    Tuntas is running at %s (Ctrl-C stops it)
    %s
    Place an order:

    curl -i %s/api/v1/orders -H "Authorization: Bearer %s" \
    -H "Idempotency-Key: first-$(date +%%s)-$$" -H "Content-Type: application/json" -d '%s'
    """
        .formatted(address.base(), keys(), address.base(), client(), ORDER);
  }

  private String keys() {
    var file = credentials.file();
    if (file == null) return "Its keys were given from outside or made earlier.";
    return "Its keys, for a client and for an admin, are in " + file;
  }

  /// A key that was given from outside is not ours to show.
  private String client() {
    return credentials.file() == null || credentials.clientKey() == null
        ? "$TUNTAS_CLIENT_KEY"
        : credentials.clientKey();
  }
}
