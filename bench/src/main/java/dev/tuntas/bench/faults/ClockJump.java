package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.chaos.Told;
import dev.tuntas.bench.cluster.PostgresProcess.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The clock of the server's machine is set, or that of PostgreSQL's, and later set right. Only the
/// wall clock: the monotonic one goes on. The other machine keeps its own.
record ClockJump(String name, String what, String by, Set<StoreKind> stores, boolean ofDatabase)
    implements Fault {

  private static final String SLOW = "-3600";
  private static final String FAST = "+3600";
  private static final Duration UNTIL_SEEN = Duration.ofSeconds(1);

  static List<Fault> all() {
    return List.of(
        ofServer("clock-back", "the server's clock is an hour slow", SLOW),
        ofServer("clock-forward", "the server's clock is an hour fast", FAST),
        ofDatabase("database-clock-back", "PostgreSQL's clock is an hour slow", SLOW),
        ofDatabase("database-clock-forward", "PostgreSQL's clock is an hour fast", FAST));
  }

  private static ClockJump ofServer(String name, String what, String by) {
    return new ClockJump(name, what, by, EnumSet.allOf(StoreKind.class), false);
  }

  private static ClockJump ofDatabase(String name, String what, String by) {
    return new ClockJump(name, what, by, Set.of(StoreKind.POSTGRES), true);
  }

  private static Optional<Path> library() {
    return Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu", ".")
        .map(place -> Path.of("/usr/lib", place, "faketime/libfaketime.so.1").normalize())
        .filter(Files::exists)
        .findFirst();
  }

  @Override
  public @Nullable String missing(StoreKind store) {
    return library().isPresent()
        ? null
        : "It needs libfaketime (on Debian: apt-get install faketime).";
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(15);
  }

  @Override
  public boolean isHidden() {
    return true;
  }

  private static Path file(Rig rig) {
    return rig.folder().resolve("clock");
  }

  @Override
  public void prepare(Rig rig) throws IOException {
    Files.writeString(file(rig), "+0\n");
    if (!ofDatabase) variables(rig).forEach(rig::variable);
  }

  @Override
  public void beforeStart(Rig rig) throws InterruptedException {
    if (ofDatabase) rig.postgres().restart(Stop.FAST, variables(rig));
  }

  private static Map<String, String> variables(Rig rig) {
    return Map.of(
        "LD_PRELOAD",
        library().orElseThrow().toString(),
        "FAKETIME_TIMESTAMP_FILE",
        file(rig).toString(),
        "FAKETIME_CACHE_DURATION",
        Long.toString(UNTIL_SEEN.toSeconds()),
        "DONT_FAKE_MONOTONIC",
        "1",
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0"); // a JVM would wait for ever
  }

  @Override
  public void inject(Rig rig) throws IOException {
    Files.writeString(file(rig), by + "\n");
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    Files.writeString(file(rig), "+0\n");
    Thread.sleep(UNTIL_SEEN);
  }

  /// Time that has not passed ends nobody's order.
  @Override
  public List<String> judge(Collection<Told> ends) {
    long cancelled =
        ends.stream().filter(end -> end.word().startsWith("CANCELLED_BY_SYSTEM")).count();
    return cancelled == 0
        ? List.of()
        : List.of(cancelled + " rides were cancelled for want of time that had not passed.");
  }
}
