package dev.tuntas.bench;

import dev.tuntas.bench.Contender.Shop;
import dev.tuntas.bench.Load.Window;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Measures all systems. They take turns in rounds, so that a slow minute of the machine meets them
/// all.
final class EngineRun {

  static final int FEW_IN_FLIGHT = 64;
  static final int PACE_PER_SECOND = 50;

  private static final Duration OPENING = Duration.ofMillis(700);
  private static final int COPIED_PER_SECOND = 30_000;

  private final BenchSettings settings;
  private final LineUp lineUp;
  private final Progress progress;
  private final OrderIds ids = new OrderIds();
  private final Map<String, List<Sample>> turns = new LinkedHashMap<>();

  EngineRun(BenchSettings settings, LineUp lineUp, Progress progress) {
    this.settings = settings;
    this.lineUp = lineUp;
    this.progress = progress;
  }

  EngineResults measure() throws IOException, SQLException, InterruptedException {
    progress.expect(expected());
    var loaded = lineUp.loaded();
    if (loaded != null) {
      new Preload(loaded.store(), progress).fill(settings.preload(), settings.waiting());
    }
    for (int round = 1; round <= BenchSettings.ROUNDS; round++) measure(round);
    var few = few();
    oneAtATime();
    settle();
    disk(); // while it has the rest of what was put off
    var paced = paced();
    var disk = disk();
    return new EngineResults(lineUp, turns, few, paced, disk);
  }

  private void measure(int round) throws IOException, SQLException, InterruptedException {
    var suffix = ", round " + round + " of " + BenchSettings.ROUNDS;
    var warmUp = settings.warmUp(round);
    progress.phase(SingleCommits.NAME + suffix);
    var rate = lineUp.reference().measure(warmUp, settings.round());
    note(SingleCommits.NAME, Sample.ofRate(rate));
    for (var contender : lineUp.contenders()) {
      progress.phase(contender.name() + suffix);
      Turn turn = load -> load.saturate(settings.inFlight(), warmUp, settings.round());
      note(contender.name(), take(contender, turn));
    }
  }

  private void note(String name, Sample sample) {
    turns.computeIfAbsent(name, _ -> new ArrayList<>()).add(sample);
  }

  private Sample few() throws IOException, SQLException, InterruptedException {
    progress.phase("with " + FEW_IN_FLIGHT + " in flight");
    return take(
        lineUp.subject(),
        load -> load.saturate(FEW_IN_FLIGHT, settings.warmUp(2), settings.round()));
  }

  /// Light load takes another way than many at once: it is to be compiled as after minutes of it.
  private void oneAtATime() throws IOException, SQLException, InterruptedException {
    progress.phase("one at a time, to warm up");
    take(lineUp.subject(), load -> load.saturate(1, Duration.ZERO, settings.warmUp(1)));
  }

  /// The rounds left much to tidy up and to write.
  private void settle() throws SQLException, InterruptedException {
    progress.phase("settling the tables");
    lineUp.subject().store().settle();
    Workplace.writeBack();
  }

  private Sample paced() throws IOException, SQLException, InterruptedException {
    progress.phase(PACE_PER_SECOND + " a second");
    return take(
        lineUp.subject(),
        load -> {
          load.pace(PACE_PER_SECOND, settings.warmUp(2));
          return load.pace(PACE_PER_SECOND, settings.paced());
        });
  }

  /// Before and after the engine, so that it is the same disk: others may use it too.
  private @Nullable Sample disk() throws IOException {
    var disk = lineUp.disk();
    if (disk == null) return null;
    progress.phase(DiskAlone.NAME + ", " + PACE_PER_SECOND + " a second");
    disk.measure(PACE_PER_SECOND, settings.warmUp(1));
    return disk.sample(PACE_PER_SECOND);
  }

  /// What customers do in one turn.
  private interface Turn {
    Window take(Load load) throws InterruptedException;
  }

  private Sample take(Contender contender, Turn turn)
      throws IOException, SQLException, InterruptedException {
    Shop shop = contender.open();
    var load = new Load(shop, ids);
    Window window;
    try (shop) {
      window = turn.take(load);
    }
    var cost = shop.cost();
    return new Sample(
        window.perSecond(),
        window.latencies().millis(0.5),
        window.latencies().millis(0.99),
        window.cpuMicrosPerSaga(),
        (double) cost.commits() / load.ended(),
        (double) cost.rows() / load.ended());
  }

  private Duration expected() {
    int systems = lineUp.contenders().size() + 1;
    var whole = Duration.ofSeconds((settings.preload() + settings.waiting()) / COPIED_PER_SECOND);
    for (int round = 1; round <= BenchSettings.ROUNDS; round++) {
      var turn = settings.warmUp(round).plus(settings.round()).plus(OPENING);
      whole = whole.plus(turn.multipliedBy(systems));
    }
    return whole
        .plus(settings.round())
        .plus(settings.paced())
        .plus(settings.warmUp(1).multipliedBy(4));
  }
}
