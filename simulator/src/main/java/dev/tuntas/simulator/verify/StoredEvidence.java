package dev.tuntas.simulator.verify;

import dev.tuntas.payment.Books;
import dev.tuntas.payment.Ledger;
import dev.tuntas.simulator.Effect;
import dev.tuntas.simulator.Effects;
import dev.tuntas.store.Tables;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Evidence from the tables of the services and the ledgers of the simulated partners.
public final class StoredEvidence implements Evidence {

  /// Hands over all orders.
  @FunctionalInterface
  public interface Orders {
    void each(Consumer<Order> taker);
  }

  private final Orders orders;
  private final Books books;
  private final StockTables stock;
  private final @Nullable Effects bank;
  private final @Nullable Effects warehouse;

  /// @param bank the bank's tables, if the bank is simulated
  /// @param warehouse the warehouse's tables, if it is simulated
  public StoredEvidence(
      Orders orders,
      Tables payment,
      Tables inventory,
      @Nullable Tables bank,
      @Nullable Tables warehouse) {
    this.orders = orders;
    this.books = new Books(payment);
    this.stock = new StockTables(inventory);
    this.bank = bank == null ? null : new Effects(bank);
    this.warehouse = warehouse == null ? null : new Effects(warehouse);
  }

  @Override
  public void eachOrder(Consumer<Order> taker) {
    orders.each(taker);
  }

  @Override
  public void eachBalance(Consumer<Books.Balance> taker) {
    books.eachBalance(taker);
  }

  @Override
  public void eachLine(Consumer<Ledger.Line> taker) {
    books.eachLine(taker);
  }

  @Override
  public void eachShelf(Consumer<Shelf> taker) {
    stock.eachShelf(taker);
  }

  @Override
  public void eachHolding(Consumer<Holding> taker) {
    stock.eachHolding(taker);
  }

  @Override
  public boolean knowsBank() {
    return bank != null;
  }

  @Override
  public void eachBankEffect(Consumer<Effect> taker) {
    if (bank != null) bank.each(taker);
  }

  @Override
  public boolean knowsWarehouse() {
    return warehouse != null;
  }

  @Override
  public void eachWarehouseEffect(Consumer<Effect> taker) {
    if (warehouse != null) warehouse.each(taker);
  }
}
