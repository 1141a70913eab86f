package dev.tuntas.testkit.simulation;

/// How much was simulated.
public final class Tally {

  private int runs;
  private int sagas;
  private int done;
  private long events;
  private long hash;

  void add(Simulation.Outcome outcome) {
    runs += 1;
    sagas += outcome.sagas();
    done += outcome.done();
    events += outcome.events();
    hash ^= outcome.hash();
  }

  /// One number for all that happened, whatever the order of the runs.
  public long hash() {
    return hash;
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
