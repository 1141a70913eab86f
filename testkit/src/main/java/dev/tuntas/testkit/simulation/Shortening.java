package dev.tuntas.testkit.simulation;

import java.util.List;

/// Looks for a shorter run that fails too: fewer sagas, fewer kinds of faults. Then tells its
/// story.
final class Shortening<D> {

  private static final int LINES_MAX = 120;

  private Setting<D> setting;
  private Violation violation;
  private Simulation<D> simulation;

  Shortening(Setting<D> setting, Violation violation, Simulation<D> simulation) {
    this.setting = setting;
    this.violation = violation;
    this.simulation = simulation;
  }

  AssertionError failure() {
    if (!setting.steady()) {
      for (var fault : List.copyOf(setting.faults().probable().keySet())) {
        tryIt(setting.faults(setting.faults().without(fault)));
      }
      for (int sagas = setting.sagas() / 2; sagas >= 1; sagas /= 2) tryIt(setting.sagas(sagas));
    }
    return new AssertionError(story(), violation);
  }

  private void tryIt(Setting<D> shorter) {
    var candidate = new Simulation<>(shorter);
    try {
      candidate.run();
    } catch (Violation also) {
      setting = shorter;
      violation = also;
      simulation = candidate;
    }
  }

  private String story() {
    var lines = simulation.story(violation.sagaId());
    var last = lines.subList(Math.max(0, lines.size() - LINES_MAX), lines.size());
    return violation.getMessage()
        + "\n"
        + header()
        + "\n"
        + String.join("\n", last)
        + "\n"
        + violation.getMessage();
  }

  private String header() {
    if (setting.steady()) {
      return "script "
          + setting.script()
          + ", pauses "
          + setting.pauseAt()
          + ", signals "
          + setting.signals();
    }
    var shorter = List.of(setting.sagas() + " sagas", setting.nodes() + " nodes", setting.faults());
    return "seed " + setting.seed() + "; the shortest failing run found has " + shorter;
  }
}
