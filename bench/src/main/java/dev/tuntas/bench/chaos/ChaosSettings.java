package dev.tuntas.bench.chaos;

import dev.tuntas.bench.server.ServerProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a run is made of.
///
/// @param span how long orders come in and the server is killed
/// @param perSecond how many orders come in
/// @param settleWithin how long the last server may take to bring every order to its end
record ChaosSettings(
    ServerProgram program,
    Path folder,
    Duration span,
    int perSecond,
    long seed,
    Duration settleWithin) {

  private static final Duration GIVE_UP_MIN = Duration.ofSeconds(8);
  private static final Duration LINGER = Duration.ofMinutes(3);
  private static final Duration GIVE_UP_MAX = Duration.ofSeconds(40);

  /// How long doubt may last before a person is asked: short, so that tickets are opened in a run.
  Duration giveUp() {
    var quarter = span.dividedBy(4);
    if (quarter.compareTo(GIVE_UP_MIN) < 0) return GIVE_UP_MIN;
    return quarter.compareTo(GIVE_UP_MAX) > 0 ? GIVE_UP_MAX : quarter;
  }

  Arrivals.Flow flow() {
    return new Arrivals.Flow(seed, perSecond, LINGER);
  }

  Path data() {
    return folder.resolve("data");
  }

  Path output() {
    return folder.resolve("server.log");
  }

  Path journal() {
    return folder.resolve("journal.jsonl");
  }

  List<String> arguments() {
    return List.of(
        "--data",
        data().toString(),
        "--tuntas.saga.give-up=" + giveUp().toSeconds() + "s",
        "--tuntas.ride.news-wait=5s");
  }
}
