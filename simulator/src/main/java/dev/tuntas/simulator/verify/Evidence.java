package dev.tuntas.simulator.verify;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Books;
import dev.tuntas.payment.Ledger;
import dev.tuntas.simulator.Effect;
import java.util.function.Consumer;

/// All that is known about orders, money and goods: by the platform, by its services, and by the
/// partners' own ledgers.
public interface Evidence {

  /// An order as the platform tells it.
  ///
  /// @param needsAttention whether a person has been told to look: then differences are known
  /// @param refundApproved whether a person has decided to give all of it back
  record Order(
      String id, String status, Money total, boolean needsAttention, boolean refundApproved) {

    boolean isConfirmed() {
      return status.equals("CONFIRMED");
    }

    /// Whether everything about it must be right by now.
    boolean isSettled() {
      return (isConfirmed() || status.equals("FAILED")) && !needsAttention;
    }
  }

  /// How an item, or a room on one night, stands.
  ///
  /// @param thing `SKU-1`, or `ROOM-STD 2027-01-10`
  record Shelf(String thing, long stock, long available, long held, long committed) {}

  /// What an order holds and has taken of a thing.
  record Holding(String orderId, String thing, long held, long taken) {}

  void eachOrder(Consumer<Order> taker);

  /// From the payment service.
  void eachBalance(Consumer<Books.Balance> taker);

  /// From the payment service, in the order in which they were written.
  void eachLine(Consumer<Ledger.Line> taker);

  /// From the inventory.
  void eachShelf(Consumer<Shelf> taker);

  /// From the inventory.
  void eachHolding(Consumer<Holding> taker);

  /// Whether the bank's ledger can be read. Otherwise our journal has to do.
  boolean knowsBank();

  /// From the bank's ledger, in the order in which they happened.
  void eachBankEffect(Consumer<Effect> taker);

  /// Whether the warehouse's ledger can be read. Otherwise the inventory's own tables have to do.
  boolean knowsWarehouse();

  /// From the warehouse's ledger, in the order in which they happened.
  void eachWarehouseEffect(Consumer<Effect> taker);
}
