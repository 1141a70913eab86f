package dev.tuntas.bench.verify;

import dev.tuntas.bench.Progress;
import dev.tuntas.simulator.verify.StoredEvidence;
import dev.tuntas.simulator.verify.Verification;
import java.util.ArrayList;
import java.util.List;

/// Checks everything that can be checked in an archive.
public final class Verifier {

  private final Archive archive;
  private final Progress progress;

  public Verifier(Archive archive, Progress progress) {
    this.archive = archive;
    this.progress = progress;
  }

  public VerifyReport run() {
    var tables = archive.orders();
    var orders = new PlatformOrders(tables);
    var lines = new ArrayList<Line>();
    progress.phase("looking at orders");
    var survey = new Survey(tables);
    var ordersAndTickets = survey.check(orders);
    progress.phase("comparing with the ledgers");
    lines.addAll(moneyAndGoods(orders, survey.orders()));
    lines.addAll(ordersAndTickets);
    lines.addAll(rides());
    progress.phase("looking at what goes out");
    var outgoing = new Outgoing(tables);
    lines.add(outgoing.check());
    progress.phase("looking at the audit log");
    lines.add(AuditLog.check(tables, archive.auditHeads()));
    return new VerifyReport(
        lines, survey.orders(), survey.inMotion(), outgoing.undelivered(), notes());
  }

  private List<Line> moneyAndGoods(PlatformOrders orders, long count) {
    var payment = archive.payment();
    var inventory = archive.inventory();
    if (payment == null || inventory == null) return List.of();
    var evidence =
        new StoredEvidence(orders, payment, inventory, archive.bank(), archive.warehouse());
    return Verification.of(evidence).stream()
        .map(finding -> new Line(finding, count, "orders"))
        .toList();
  }

  private List<Line> rides() {
    var partner = archive.dispatch();
    return partner == null ? List.of() : new PartnerBookings(archive.orders(), partner).check();
  }

  /// What could not be looked at.
  private List<String> notes() {
    var notes = new ArrayList<String>();
    if (archive.payment() == null || archive.inventory() == null) {
      notes.add(
          "Money and stock were not checked: the payment and inventory services are elsewhere.");
    } else {
      if (archive.bank() == null)
        notes.add("The bank's ledger is elsewhere: our journal had to do.");
      if (archive.warehouse() == null) {
        notes.add("The warehouse's ledger is elsewhere: our inventory had to do.");
      }
    }
    if (archive.dispatch() == null) {
      notes.add("The dispatch partner's bookings are elsewhere: rides were not held against them.");
    }
    if (archive.auditHeads() == null) {
      notes.add("The heads of the audit log are elsewhere: a chain written anew would not show.");
    }
    return notes;
  }
}
