package dev.tuntas.simulator.verify;

import dev.tuntas.simulator.verify.Evidence.Order;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Checks the invariants of money and stock against all the evidence there is. Those that hold only
/// once things are settled are checked for orders that are final and that nobody has been told to
/// look at.
///
/// Orders are taken in shares, so that any number of them can be checked; each share reads the
/// ledgers once.
public final class Verification {

  private static final int SHARE = 200_000;

  private final Evidence evidence;
  private final int share;
  private final Map<String, Finding> findings = new TreeMap<>();
  private Map<String, Order> orders = new HashMap<>();
  private String after = "";
  private String last = "";

  private Verification(Evidence evidence, int share) {
    this.evidence = evidence;
    this.share = share;
  }

  /// One finding for each invariant, in their order. The evidence must hand over orders by their
  /// id.
  public static List<Finding> of(Evidence evidence) {
    return of(evidence, SHARE);
  }

  static List<Finding> of(Evidence evidence, int share) {
    var verification = new Verification(evidence, share);
    evidence.eachOrder(verification::take);
    verification.finish();
    return List.copyOf(verification.findings.values());
  }

  private void take(Order order) {
    if (orders.size() == share) {
      check(new Share(evidence, orders, after, last));
      orders = new HashMap<>();
      after = last;
    }
    orders.put(order.id(), order);
    last = order.id();
  }

  private void finish() {
    check(new Share(evidence, orders, after, null));
    add(new ShelfChecks().check(evidence));
  }

  private void check(Share evidence) {
    add(new MoneyChecks(evidence.orders()).check(evidence));
    add(new StockChecks(evidence.orders()).check(evidence));
  }

  private void add(Collection<Finding> found) {
    for (var finding : found) findings.merge(finding.invariant(), finding, Finding::plus);
  }
}
