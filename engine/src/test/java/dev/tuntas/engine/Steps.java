package dev.tuntas.engine;

import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import java.time.Duration;

/// Steps for tests of the pure function, which never calls them. A signal is read by its body:
/// "yes" it happened, "no" it did not, "wait" nobody knows yet, anything else is a bug.
final class Steps {

  static final Duration TIMEOUT = Duration.ofSeconds(10);
  static final Duration DAY = Duration.ofHours(24);

  private Steps() {}

  static Step<String> call(String name) {
    return Step.step(name, (data, call) -> Outcome.done(data));
  }

  /// Asked by repeating; in doubt for a day, it is held for a person.
  static Step<String> undoable(String name) {
    return call(name).undo((data, call) -> Outcome.done(data));
  }

  /// Asked by repeating; in doubt for a day, it is undone.
  static Step<String> safe(String name) {
    return undoable(name).ifStillUnclear(GiveUp.undo(DAY));
  }

  static Step<String> probed(Step<String> step) {
    return step.ifUnclearAsk((data, call) -> Outcome.done(data));
  }

  static Step<String> answered(Step<String> step) {
    return step.onSignal(step.name(), Steps::read);
  }

  /// Waits for the signal of its name, polling as well, for at most a day.
  static Step<String> waiting(String name) {
    return answered(probed(Step.waitFor(name)));
  }

  private static Outcome<String> read(String data, Signal signal) {
    return switch (signal.body()) {
      case "yes" -> Outcome.done(data + "+" + signal.name());
      case "no" -> Outcome.declined("SAID_NO", "by signal");
      case "wait" -> Outcome.pending("not yet");
      default -> throw new IllegalStateException("cannot read " + signal.body());
    };
  }

  static Signal signal(String name, String body) {
    return signal(name, "s-1", body);
  }

  static Signal signal(String name, String externalId, String body) {
    return new Signal("partner", externalId, name, body);
  }
}
