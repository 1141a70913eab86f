package dev.tuntas.bench.scenario;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments;
import dev.tuntas.saga.Outcome;

/// Books in which payments are entered that somebody else took. Nothing goes wrong with them here,
/// and nothing is given back by itself.
final class OutsidePayments implements Payments {

  @Override
  public Outcome<Receipt> charge(Charge charge, String key) {
    return Outcome.done(new Receipt("tx-" + charge.orderId(), charge.amount(), "charged"));
  }

  @Override
  public Outcome<Receipt> refund(Refund refund, String key) {
    var nothing = new Money(0, refund.amount().currency());
    return Outcome.done(new Receipt("rf-" + refund.orderId(), nothing, "refunded"));
  }
}
