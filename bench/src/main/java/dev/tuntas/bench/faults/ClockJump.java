package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.chaos.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The clock of the server's machine is set, and later set right. Only the wall clock: the
/// monotonic one goes on. PostgreSQL keeps its own.
record ClockJump(String name, String what, String by) implements Fault {

  private static final Duration UNTIL_SEEN = Duration.ofSeconds(1);

  static List<Fault> both() {
    return List.of(
        new ClockJump("clock-back", "the server's clock is an hour slow", "-3600"),
        new ClockJump("clock-forward", "the server's clock is an hour fast", "+3600"));
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
    rig.variable("LD_PRELOAD", library().orElseThrow().toString());
    rig.variable("FAKETIME_TIMESTAMP_FILE", file(rig).toString());
    rig.variable("FAKETIME_CACHE_DURATION", Long.toString(UNTIL_SEEN.toSeconds()));
    rig.variable("DONT_FAKE_MONOTONIC", "1");
    rig.variable("FAKETIME_FORCE_MONOTONIC_FIX", "0"); // a JVM would wait for ever
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
