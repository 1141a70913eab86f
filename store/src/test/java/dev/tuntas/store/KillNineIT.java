package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Status;
import dev.tuntas.testservers.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Kills real processes at random moments. Nothing acknowledged may be lost, and no effect may
/// happen twice, although the services outside honour no keys.
class KillNineIT {

  private static final int KILLS = 50;
  private static final Duration GOES_ON_WITHIN = Duration.ofSeconds(5);
  private static final Duration FINISHED_WITHIN = Duration.ofSeconds(60);

  /// In between, processes die faster than the others can notice.
  private static final int LOOKS_EVERY = 5;

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(9);
  private final Set<String> acknowledged = new HashSet<>();

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void on_sqlite_the_next_process_goes_on() throws Exception {
    var store = "sqlite:" + folder.resolve("data");
    try (var ledger = new Ledger()) {
      var unfinished = Set.<String>of();
      for (int kill = 0; kill < KILLS; kill++) {
        var victim = start(store, ledger, "k" + kill + "-", true);
        victim.awaitReady();
        assertGoesOn(ledger, unfinished, "after kill " + kill);
        letRun();
        victim.kill();
        acknowledged.addAll(victim.acknowledged());
        unfinished = unfinished(ledger, victim.acknowledged());
      }
      var last = start(store, ledger, "none", false);
      last.awaitReady();
      assertGoesOn(ledger, unfinished, "after the last kill");
      letFinish(ledger);
      last.stop();
      assertNothingLostOrDoubled(store, ledger);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void on_postgres_a_second_node_goes_on() throws Exception {
    var store = TestPostgres.newDatabase();
    try (var ledger = new Ledger()) {
      var nodes = new ArrayList<VictimProcess>();
      nodes.add(start(store, ledger, "a-", true));
      nodes.add(start(store, ledger, "b-", true));
      for (int kill = 0; kill < KILLS; kill++) {
        boolean looks = kill % LOOKS_EVERY == 0;
        if (looks) for (var node : nodes) node.awaitReady();
        letRun();
        int which = random.nextInt(2);
        nodes.get(1 - which).awaitReady(); // the other one may die while it starts
        var victim = nodes.get(which);
        victim.kill();
        acknowledged.addAll(victim.acknowledged());
        if (looks) {
          assertGoesOn(ledger, unfinished(ledger, victim.acknowledged()), "after kill " + kill);
        }
        nodes.set(which, start(store, ledger, "k" + kill + "-", true));
      }
      nodes.get(0).kill();
      acknowledged.addAll(nodes.get(0).acknowledged());
      nodes.get(1).kill();
      acknowledged.addAll(nodes.get(1).acknowledged());
      var last = start(store, ledger, "none", false);
      last.awaitReady();
      letFinish(ledger);
      last.stop();
      assertNothingLostOrDoubled(store, ledger);
    }
  }

  private VictimProcess start(String store, Ledger ledger, String prefix, boolean starts)
      throws Exception {
    return new VictimProcess(store, ledger.port(), prefix, starts, folder.resolve("victims.log"));
  }

  /// Not a wait for something to happen, but the random moment at which the process dies.
  private void letRun() {
    LockSupport.parkNanos(Duration.ofMillis(20 + random.nextInt(380)).toNanos());
  }

  private static Set<String> unfinished(Ledger ledger, Set<String> sagas) {
    var rest = new HashSet<String>();
    for (var saga : sagas) if (ledger.effects("confirm:" + saga) == 0) rest.add(saga);
    return rest;
  }

  /// Somebody takes up what the killed process left behind.
  private static void assertGoesOn(Ledger ledger, Set<String> unfinished, String when) {
    if (unfinished.isEmpty()) return;
    long since = System.nanoTime();
    var until = since + GOES_ON_WITHIN.toNanos();
    while (unfinished.stream().noneMatch(saga -> ledger.heardOf(saga, since))) {
      assertThat(System.nanoTime()).as("%s: work goes on within 5 s", when).isLessThan(until);
      LockSupport.parkNanos(5_000_000);
    }
  }

  /// Whatever is not finished by then will be found.
  private void letFinish(Ledger ledger) {
    long until = System.nanoTime() + FINISHED_WITHIN.toNanos();
    while (!unfinished(ledger, acknowledged).isEmpty() && System.nanoTime() < until) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  private void assertNothingLostOrDoubled(String store, Ledger ledger) {
    assertThat(acknowledged).as("a run that did no work shows nothing").hasSizeGreaterThan(KILLS);
    try (var stores = Victim.open(store)) {
      var undone = new ArrayList<String>();
      for (var id : acknowledged) {
        var row = stores.sagas().find(id);
        if (row.isPresent() && row.get().status() == Status.DONE) continue;
        undone.add(row + " " + stores.sagas().history(id));
      }
      assertThat(undone).as("acknowledged, and not done").isEmpty();
    }
    var doubled = new ArrayList<String>();
    for (var id : acknowledged) {
      for (var effect : List.of("pay", "stock", "confirm")) {
        if (ledger.effects(effect + ":" + id) != 1) {
          doubled.add(effect + ":" + id + " " + ledger.effects(effect + ":" + id) + " times");
        }
      }
    }
    assertThat(doubled).as("effects that did not happen exactly once").isEmpty();
  }
}
