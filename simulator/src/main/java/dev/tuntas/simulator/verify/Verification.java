package dev.tuntas.simulator.verify;

import dev.tuntas.simulator.verify.Evidence.Order;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Checks the invariants of money and stock against all the evidence there is. Those that hold only
/// once things are settled are checked for orders that are final and that nobody has been told to
/// look at.
public final class Verification {

  private Verification() {}

  /// One finding for each invariant, in their order.
  public static List<Finding> of(Evidence evidence) {
    var orders = new HashMap<String, Order>();
    evidence.eachOrder(order -> orders.put(order.id(), order));
    var findings = new ArrayList<Finding>();
    findings.addAll(new MoneyChecks(orders).check(evidence));
    findings.addAll(new StockChecks(orders).check(evidence));
    return findings;
  }
}
