package dev.tuntas.simulator.verify;

import dev.tuntas.simulator.verify.Evidence.Holding;
import dev.tuntas.simulator.verify.Evidence.Shelf;
import dev.tuntas.simulator.verify.Finding.Tally;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What must be true of shelves: of all that is on them, whoever has it.
final class ShelfChecks {

  private final Tally bounded = new Tally("S1", "nothing is oversold");
  private final Tally sold = new Tally("S2", StockChecks.SOLD);
  private final Tally exact = new Tally("S5", StockChecks.EXACT);
  private final Map<String, Long> held = new HashMap<>();
  private final Map<String, Long> taken = new HashMap<>();

  List<Finding> check(Evidence evidence) {
    evidence.eachHolding(this::add);
    evidence.eachShelf(this::count);
    return List.of(bounded.finding(), sold.finding(), exact.finding());
  }

  private void add(Holding holding) {
    held.merge(holding.thing(), holding.held(), Long::sum);
    taken.merge(holding.thing(), holding.taken(), Long::sum);
  }

  private void count(Shelf shelf) {
    bounded.require(
        shelf.available() >= 0
            && shelf.held() + shelf.committed() <= shelf.stock()
            && shelf.available() + shelf.held() + shelf.committed() == shelf.stock(),
        shelf.thing(),
        "has more held and sold than there is");
    long heldByOrders = held.getOrDefault(shelf.thing(), 0L);
    long takenByOrders = taken.getOrDefault(shelf.thing(), 0L);
    exact.require(
        shelf.held() == heldByOrders,
        shelf.thing(),
        "has " + shelf.held() + " on hold, and orders hold " + heldByOrders);
    sold.require(
        shelf.committed() == takenByOrders,
        shelf.thing(),
        "has " + shelf.committed() + " sold, and orders have taken " + takenByOrders);
  }
}
