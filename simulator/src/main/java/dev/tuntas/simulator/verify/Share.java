package dev.tuntas.simulator.verify;

import dev.tuntas.payment.Books;
import dev.tuntas.payment.Ledger;
import dev.tuntas.simulator.Effect;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The evidence about some of the orders: those whose ids lie after one and up to another.
///
/// @param upTo null means that there is no end
record Share(Evidence all, Map<String, Evidence.Order> orders, String after, @Nullable String upTo)
    implements Evidence {

  private boolean has(String orderId) {
    return orderId.compareTo(after) > 0 && (upTo == null || orderId.compareTo(upTo) <= 0);
  }

  @Override
  public void eachOrder(Consumer<Order> taker) {
    orders.values().forEach(taker);
  }

  @Override
  public void eachBalance(Consumer<Books.Balance> taker) {
    all.eachBalance(
        balance -> {
          if (has(balance.orderId())) taker.accept(balance);
        });
  }

  @Override
  public void eachLine(Consumer<Ledger.Line> taker) {
    all.eachLine(
        line -> {
          if (has(line.orderId())) taker.accept(line);
        });
  }

  @Override
  public void eachShelf(Consumer<Shelf> taker) {
    all.eachShelf(taker);
  }

  @Override
  public void eachHolding(Consumer<Holding> taker) {
    all.eachHolding(
        holding -> {
          if (has(holding.orderId())) taker.accept(holding);
        });
  }

  @Override
  public boolean knowsBank() {
    return all.knowsBank();
  }

  @Override
  public void eachBankEffect(Consumer<Effect> taker) {
    all.eachBankEffect(
        effect -> {
          if (has(effect.orderId())) taker.accept(effect);
        });
  }

  @Override
  public boolean knowsWarehouse() {
    return all.knowsWarehouse();
  }

  @Override
  public void eachWarehouseEffect(Consumer<Effect> taker) {
    all.eachWarehouseEffect(
        effect -> {
          if (has(effect.orderId())) taker.accept(effect);
        });
  }
}
