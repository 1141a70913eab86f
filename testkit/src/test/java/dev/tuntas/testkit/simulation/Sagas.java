package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;

/// Definitions of several shapes, as authors would write them.
final class Sagas {

  private static final AskPolicy ASK =
      AskPolicy.firstAfter(ofSeconds(1))
          .then(RetryPolicy.patient().intervals(ofSeconds(1), ofSeconds(20)));

  private Sagas() {}

  /// A payment that is told later, and polled for until then.
  static SagaDefinition<Integer> booking() {
    return SagaDefinition.saga(
        "booking",
        1,
        Integer.class,
        step("hold-room", Sagas::does).undo(Sagas::does).timeout(ofSeconds(2)).ifUnclearRepeat(ASK),
        step("take-payment", Sagas::pends)
            .undo(Sagas::does)
            .timeout(ofSeconds(2))
            .onSignal("paid", Sagas::reads)
            .ifUnclearAsk(Sagas::does, AskPolicy.firstAfter(ofSeconds(5)))
            .ifStillUnclear(GiveUp.undo(ofMinutes(30))),
        step("confirm", Sagas::does).timeout(ofSeconds(2)).ifUnclearRepeat(ASK).pivot());
  }

  /// Waits for a signal and for nothing else, half an hour long.
  static SagaDefinition<Integer> waiting() {
    return SagaDefinition.saga(
        "waiting",
        1,
        Integer.class,
        step("reserve", Sagas::does).undo(Sagas::does).timeout(ofSeconds(2)).ifUnclearRepeat(ASK),
        Step.<Integer>waitFor("payment")
            .onSignal("payment", Sagas::reads)
            .ifStillUnclear(GiveUp.undo(ofMinutes(30))),
        step("confirm", Sagas::does).timeout(ofSeconds(2)).ifUnclearRepeat(ASK).pivot());
  }

  /// An optional step with an effect, before the pivot.
  static SagaDefinition<Integer> optional() {
    return SagaDefinition.saga(
        "optional",
        1,
        Integer.class,
        step("reserve", Sagas::does).undo(Sagas::does).timeout(ofSeconds(2)).ifUnclearRepeat(ASK),
        step("upgrade", Sagas::mostlyDoes)
            .undo(Sagas::does)
            .timeout(ofSeconds(2))
            .ifUnclearRepeat(ASK)
            .optional(),
        step("commit", Sagas::mostlyDoes).timeout(ofSeconds(2)).ifUnclearRepeat(ASK).pivot());
  }

  /// Everything can be undone to the end.
  static SagaDefinition<Integer> withoutPivot() {
    return SagaDefinition.saga(
            "reversible",
            1,
            Integer.class,
            step("one", Sagas::does).undo(Sagas::does).timeout(ofSeconds(2)).ifUnclearRepeat(ASK),
            step("two", Sagas::mostlyDoes).undo(Sagas::does).timeout(ofSeconds(2)),
            step("three", Sagas::does)
                .undo(Sagas::does)
                .timeout(ofSeconds(2))
                .ifUnclearRepeat(ASK)
                .ifStillUnclear(GiveUp.undo(ofMinutes(1))))
        .deadline(ofMinutes(2));
  }

  /// Two partners, each with a lane.
  static SagaDefinition<Integer> withLanes() {
    return SagaDefinition.saga(
        "laned",
        1,
        Integer.class,
        step("charge", Sagas::does)
            .undo(Sagas::does)
            .timeout(ofSeconds(2))
            .ifUnclearRepeat(ASK)
            .lane("bank"),
        step("ship", Sagas::mostlyDoes)
            .timeout(ofSeconds(2))
            .ifUnclearRepeat(ASK)
            .lane("carrier")
            .pivot(),
        step("thank", Sagas::does).timeout(ofSeconds(2)).ifUnclearRepeat(ASK));
  }

  static Signal payment(String externalId, String body) {
    return new Signal("bank", externalId, "payment", body);
  }

  static Outcome<Integer> does(Integer n, Call call) {
    return Outcome.done(n);
  }

  static Outcome<Integer> mostlyDoes(Integer n, Call call) {
    return n % 7 == 3 ? Outcome.declined("NO", "not for " + n) : Outcome.done(n);
  }

  private static Outcome<Integer> pends(Integer n, Call call) {
    return Outcome.pending("accepted");
  }

  private static Outcome<Integer> reads(Integer n, Signal signal) {
    return switch (signal.body()) {
      case "declined" -> Outcome.declined("DECLINED", "the bank said no");
      case "pending" -> Outcome.pending("the bank is at it");
      default -> Outcome.done(n);
    };
  }
}
