package dev.tuntas.bench.scenario;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Which alerts a scenario must raise, and which it may; any other is a violation.
record Expectations(Set<String> must, Set<String> may) {

  /// An alert that belongs to a scenario, and from how many minutes on it has time enough to fire;
  /// in a shorter one it may.
  private record Expected(String alert, long minutes) {}

  private static final long NEVER = Long.MAX_VALUE;

  static Expectations of(ScenarioSettings settings) {
    var must = new HashSet<String>();
    var may = new HashSet<String>();
    for (var expected : expected(settings.scenario())) {
      boolean due = settings.minutes().toMinutes() >= expected.minutes;
      (due ? must : may).add(expected.alert);
    }
    return new Expectations(must, may);
  }

  private static List<Expected> expected(Scenario scenario) {
    return switch (scenario) {
      case NORMAL -> List.of();
      case NO_CALLBACKS -> List.of(new Expected("CallbackRateLow", 20));
      case SLOW_PARTNER ->
          List.of(
              new Expected("JobIDRetrievalSlowResponse", 30),
              new Expected("ThresholdReached", 10),
              new Expected("ThresholdApproaching", 15));
      case OUTAGE ->
          List.of(
              new Expected("CircuitBreakerOpen", 1),
              new Expected("ThresholdReached", 10),
              new Expected("ThresholdApproaching", 60),
              new Expected("JobIDRetrievalHighFailureRate", NEVER),
              new Expected("JobIDRetrievalSlowResponse", NEVER));
      case FLOOD ->
          List.of(
              new Expected("ThresholdReached", 10),
              new Expected("DispatchLatencyHigh", 15),
              new Expected("ThresholdApproaching", 30),
              new Expected("HighRetryRate", 60),
              new Expected("LowAssignmentRate", NEVER));
    };
  }

  void check(Set<String> fired, Violations violations) {
    for (var name : new TreeSet<>(must)) {
      if (!fired.contains(name)) violations.add("the alert " + name + " did not fire");
    }
    for (var name : new TreeSet<>(fired)) {
      if (!must.contains(name) && !may.contains(name)) {
        violations.add("the alert " + name + " fired although nothing is wrong");
      }
    }
  }
}
