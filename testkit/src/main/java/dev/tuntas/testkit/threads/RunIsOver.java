package dev.tuntas.testkit.threads;

/// Ends a thread of a run that is over. Nobody under test is to catch it.
final class RunIsOver extends Error {

  private static final long serialVersionUID = 1L;

  RunIsOver() {
    super("the run is over", null, false, false);
  }
}
