package dev.tuntas.bench.scenario;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What came of a scenario.
///
/// @param real whether it ran in real time against a server
/// @param customers who came; of these, `orders` were let in
/// @param alerts those that fired, each with when it did first, in seconds
/// @param seconds how long it took on the scenario's own clock, and on ours
record ScenarioResult(
    ScenarioSettings settings,
    boolean real,
    int customers,
    Orders orders,
    Calls calls,
    Flood flood,
    Usage usage,
    Map<String, Double> alerts,
    Curves curves,
    Seconds seconds,
    List<String> sentences,
    long violations) {

  /// @param ends how many ended with each status
  /// @param callbackShare the share of job ids that a callback brought
  /// @param updatesOk the share of changes of status that were stored and told
  record Orders(
      int accepted,
      int withJobId,
      int within30Min,
      Spread toJobId,
      double callbackShare,
      int manual,
      double updatesOk,
      Map<String, Long> ends) {}

  /// @param baseline how often it would have been asked from the start; NaN if nobody knows
  /// @param refused how often it said that there were too many
  record Calls(long all, long forJobIds, double baseline, int highestPerSecond, long refused) {

    double reduction() {
      return 1 - forJobIds / baseline;
    }
  }

  /// @param highest the most that waited in each area
  /// @param most how many may wait in one, with the loyal ones
  record Flood(long refusals, double refusalMsP99, Map<String, Integer> highest, int most) {}

  /// @param early after a quarter of the time in which orders come; null where it is not ours
  record Usage(@Nullable Machine early, @Nullable Machine late) {}

  /// @param calls of each second
  /// @param waiting by area
  /// @param toJobId of the orders of each minute
  record Curves(Curve calls, Map<String, Curve> waiting, List<Spread> toJobId) {}

  record Seconds(double scenario, double real) {}
}
