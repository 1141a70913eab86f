package dev.tuntas.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tuntas.bench.server.ServerProcess.Launch;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How processes are stopped, with shells in place of servers.
class StoppingTest {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String UP = "echo Tuntas is running at http://there/;";
  private static final String OBEDIENT = UP + "exec tail -f /dev/null";
  private static final String DEAF = "trap '' TERM;" + OBEDIENT;
  private static final String POLITE =
      "trap 'kill $!; echo good bye; exit 0' TERM; tail -f /dev/null &" + UP + "wait";

  @TempDir private Path folder;
  private final Guardian guardian = Guardian.start();
  private final AtomicBoolean over = new AtomicBoolean();

  @AfterEach
  void endWhatIsLeft() {
    over.set(true);
    guardian.close();
  }

  @Test
  void a_process_is_asked_to_end_and_heard_until_it_has() throws Exception {
    var member = started(Kind.WEB, POLITE);

    assertThat(Cluster.stop(List.of(member), SOON)).isTrue();

    assertThat(member.isAlive()).isFalse();
    awaitLine(member.log(), "good bye");
  }

  @Test
  void whoever_does_not_end_in_time_is_killed() throws Exception {
    var members = List.of(started(Kind.WEB, DEAF), started(Kind.INVENTORY, OBEDIENT));

    assertThat(Cluster.stop(members, Duration.ofMillis(200))).isFalse();

    assertThat(members).noneMatch(Member::isAlive);
  }

  /// The time limits of virtual threads are kept by virtual threads, too.
  @Test
  void they_end_though_no_virtual_thread_gets_to_run() throws Exception {
    var members = List.of(started(Kind.WEB, DEAF), started(Kind.WORKER, OBEDIENT));
    occupyAllCarriers();

    var limit = Duration.ofMillis(200);
    assertTimeoutPreemptively(SOON, () -> Cluster.stop(members, limit));

    assertThat(members).noneMatch(Member::isAlive);
  }

  private void occupyAllCarriers() throws InterruptedException {
    int carriers = Runtime.getRuntime().availableProcessors();
    var occupied = new CountDownLatch(carriers);
    for (int i = 0; i < carriers; i++) {
      Thread.startVirtualThread(
          () -> {
            occupied.countDown();
            while (!over.get()) Thread.onSpinWait();
          });
    }
    occupied.await();
  }

  private Member started(Kind kind, String script) throws InterruptedException {
    var name = kind.name();
    var program = new ServerProgram(List.of("/bin/sh", "-c", script));
    var launch = new Launch(0, List.of(), Map.of());
    var member = new Member(name, kind, program, launch, folder.resolve(name), guardian);
    member.start();
    return member;
  }

  private static void awaitLine(Path log, String line) throws IOException {
    long end = System.nanoTime() + SOON.toNanos();
    while (!Files.readAllLines(log).contains(line)) {
      assertThat(System.nanoTime()).as("it is not heard").isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }
}
