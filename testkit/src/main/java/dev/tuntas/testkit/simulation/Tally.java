package dev.tuntas.testkit.simulation;

/// How much was simulated.
public final class Tally {

  private int runs;
  private int sagas;
  private int done;
  private long events;

  void add(Simulation.Outcome outcome) {
    runs += 1;
    sagas += outcome.sagas();
    done += outcome.done();
    events += outcome.events();
  }

  public int runs() {
    return runs;
  }

  public int sagas() {
    return sagas;
  }

  /// Sagas that ended done; the others were undone.
  public int done() {
    return done;
  }

  public long events() {
    return events;
  }
}
