package dev.tuntas.adapters.http;

import static dev.tuntas.adapters.http.Bodies.text;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments;
import dev.tuntas.saga.Outcome;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A payment service, or a bank, that is reached over HTTP.
public final class HttpPayments implements Payments {

  private static final String PATH = "/api/v1/payments";

  private final ServiceClient service;

  public HttpPayments(ServiceClient service) {
    this.service = service;
  }

  @Override
  public Outcome<Receipt> charge(Charge charge, String key) {
    var body =
        Bodies.object()
            .put("order_id", charge.orderId())
            .put("payment_method", charge.paymentMethod());
    Bodies.putMoney(body, charge.amount());
    return service.post(
        PATH + "/charges",
        key,
        body,
        answer ->
            receipt(answer, "charged", charge.amount())
                .filter(receipt -> receipt.amount().equals(charge.amount())),
        () -> lookUp(charge.orderId(), "charge", key, charge.amount()));
  }

  @Override
  public Outcome<Receipt> refund(Refund refund, String key) {
    var body = Bodies.object().put("order_id", refund.orderId()).put("whole", refund.whole());
    Bodies.putMoney(body, refund.amount());
    return service.post(
        PATH + "/refunds",
        key,
        body,
        answer -> receipt(answer, "refunded", refund.amount()).filter(given -> fits(refund, given)),
        () -> lookUp(refund.orderId(), "refund", key, refund.amount()));
  }

  /// The service says that an earlier request was carried out: what it notes about this key is the
  /// answer that was lost. Of the same order, operation and amount, or it is none.
  private Outcome<Receipt> lookUp(String orderId, String operation, String key, Money asked) {
    var found =
        service.get(
            PATH + "/" + Bodies.encoded(orderId),
            ledger ->
                orderId.equals(text(ledger, "order_id"))
                    ? request(ledger.path("requests"), operation, key, asked)
                    : Optional.<Receipt>empty());
    return found instanceof Outcome.Succeeded<Receipt>
        ? found
        : Outcome.unclear("the service has done it before and does not say what came of it");
  }

  private static Optional<Receipt> request(
      JsonNode requests, String operation, String key, Money asked) {
    for (var request : requests) {
      var id = text(request, "transaction_id");
      boolean fits =
          operation.equals(text(request, "operation"))
              && key.equals(text(request, "key"))
              && "done".equals(text(request, "status"))
              && Bodies.money(request.path("amount")).filter(asked::equals).isPresent();
      if (fits && id != null)
        return Optional.of(
            new Receipt(id, asked, operation.equals("charge") ? "charged" : "refunded"));
    }
    return Optional.empty();
  }

  /// A whole refund gives back what is left of the charge, which may be less.
  private static boolean fits(Refund refund, Receipt given) {
    return refund.whole()
        ? given.amount().amount() <= refund.amount().amount()
        : given.amount().equals(refund.amount());
  }

  /// A service that names no amount means the one it was asked for.
  private static Optional<Receipt> receipt(JsonNode answer, String status, Money asked) {
    var id = text(answer, "payment_transaction_id");
    var amount = answer.has("amount") ? Bodies.money(answer) : Optional.of(asked);
    boolean fits =
        status.equals(text(answer, "status"))
            && amount.filter(given -> given.currency().equals(asked.currency())).isPresent();
    return id == null || !fits
        ? Optional.empty()
        : Optional.of(new Receipt(id, amount.orElse(asked), status));
  }
}
