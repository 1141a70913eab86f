package dev.tuntas.testkit.simulation;

/// The death of a simulated process, thrown through whatever it was doing.
final class Crash extends Error {

  private static final long serialVersionUID = 1L;

  Crash() {
    super("crash", null, false, false);
  }
}
