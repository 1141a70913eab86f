package dev.tuntas.server.services;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Books;
import dev.tuntas.payment.Ledger;
import dev.tuntas.payment.Payments;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.server.http.Fields;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// The payment service of this process, for others.
@RestController
@RequestMapping("/api/v1/payments")
@Conditional(Here.Payment.class)
class PaymentsController {

  private static final int ID_MAX = 300;

  /// What was charged or refunded.
  record Paid(String paymentTransactionId, String status, long amount, String currency) {

    static ResponseEntity<Paid> of(Receipt receipt) {
      var amount = receipt.amount();
      return ResponseEntity.status(201)
          .body(
              new Paid(
                  receipt.transactionId(), receipt.status(), amount.amount(), amount.currency()));
    }
  }

  private final Payments payments;
  private final Books books;

  PaymentsController(@Qualifier("ownPayments") Payments payments, Books books) {
    this.payments = payments;
    this.books = books;
  }

  @PostMapping("/charges")
  ResponseEntity<Paid> charge(HttpServletRequest request) {
    var asked = Asked.of(request);
    var fields = asked.fields();
    var charge = new Charge(fields.id("order_id"), fields.id("payment_method"), amount(fields));
    var key = asked.requiredKey();
    fields.finish();
    return Paid.of(Told.orProblem(payments.charge(charge, key)));
  }

  /// Of an order, or of the charge with a transaction id; of the amount, or of all that is left.
  @PostMapping("/refunds")
  ResponseEntity<Paid> refund(HttpServletRequest request) {
    var asked = Asked.of(request);
    var fields = asked.fields();
    var transaction = fields.optionalText("payment_transaction_id", ID_MAX);
    var named = transaction.isPresent() ? fields.optionalId("order_id") : order(fields);
    var amount = amount(fields);
    boolean whole = fields.optionalFlag("whole").orElse(false);
    var key = asked.requiredKey();
    fields.finish();
    var order = transaction.map(id -> charged(id, named)).or(() -> named).orElseThrow();
    return Paid.of(Told.orProblem(payments.refund(new Refund(order, amount, whole), key)));
  }

  private static Optional<String> order(Fields fields) {
    return Optional.of(fields.id("order_id"));
  }

  private String charged(String transaction, Optional<String> named) {
    var charge =
        books
            .charged(transaction)
            .orElseThrow(
                () ->
                    Problem.of(409, "nothing_to_refund", "No charge has this transaction id.")
                        .asException());
    if (named.isPresent() && !named.get().equals(charge.orderId())) {
      throw Problem.at(422, "/order_id", "out_of_range", "The charge is of another order.")
          .asException();
    }
    return charge.orderId();
  }

  private static Money amount(Fields fields) {
    return fields.money();
  }

  @GetMapping("/{orderId}")
  Ledger ledger(@PathVariable String orderId) {
    return books.of(orderId).orElseThrow(() -> Problem.notFound().asException());
  }
}
