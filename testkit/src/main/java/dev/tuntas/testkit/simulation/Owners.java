package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/// Who owns which saga, kept beside the store: a second opinion on every claim, take-over and
/// write.
final class Owners {

  private final IntPredicate dead;
  private final Map<String, Integer> owners = new HashMap<>();

  Owners(IntPredicate dead) {
    this.dead = dead;
  }

  void claimed(int node, List<SagaRow> rows) {
    for (var row : rows) {
      var owner = owners.put(row.id(), node);
      if (owner != null) {
        throw new Violation(row.id(), "node " + node + " was given it, and " + owner + " has it");
      }
    }
  }

  void tookOver(int node, List<SagaRow> rows) {
    for (var row : rows) {
      var owner = owners.put(row.id(), node);
      if (owner == null || !dead.test(owner)) {
        throw new Violation(row.id(), "node " + node + " took it from " + owner + ", which lives");
      }
    }
  }

  void wrote(int node, Write write) {
    var status =
        switch (write) {
          case Write.Insert insert -> insert.status();
          case Write.Move move -> move.status();
        };
    var owner = owners.remove(write.id());
    if (write instanceof Write.Move && (owner == null || owner != node)) {
      throw new Violation(write.id(), "node " + node + " wrote, and " + owner + " owns it");
    }
    if (status == Status.RUNNING) owners.put(write.id(), node);
  }
}
