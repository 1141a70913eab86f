package dev.tuntas.saga;

import static dev.tuntas.saga.Step.step;

/// Steps for tests that look at definitions and never run them.
final class Sample {

  private Sample() {}

  static Step<String> call(String name) {
    return step(name, (data, call) -> Outcome.done(data));
  }

  static Step<String> undoable(String name) {
    return call(name).undo((data, call) -> Outcome.done(data));
  }

  static Step<String> waiting(String name) {
    return Step.<String>waitFor(name).onSignal(name, (data, signal) -> Outcome.done(data));
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  static SagaDefinition<String> saga(Step<String>... steps) {
    return SagaDefinition.saga("booking", 1, String.class, steps);
  }
}
