package dev.tuntas.crashtest;

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
  private static final Duration MOMENT = Duration.ofMillis(100);

  /// In between, processes die faster than the others can notice.
  private static final int LOOKS_EVERY = 5;

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(9);
  private final Set<String> acknowledged = new HashSet<>();

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void on_sqlite_the_next_process_goes_on() throws Exception {
    var store = "sqlite:" + folder.resolve("data");
    try (var ledger = new Ledger();
        var program = new VictimProgram(store, ledger.port(), folder)) {
      rehearse(program);
      var unfinished = Set.<String>of();
      for (int kill = 0; kill < KILLS; kill++) {
        long since = afterAllCalls(ledger);
        var victim = program.start("k" + kill + "-");
        victim.awaitReady();
        assertGoesOn(ledger, unfinished, since, "after kill " + kill);
        letRun();
        victim.kill();
        acknowledged.addAll(victim.acknowledged());
        unfinished = unfinished(ledger, victim.acknowledged());
      }
      long since = afterAllCalls(ledger);
      var last = program.startLast();
      last.awaitReady();
      assertGoesOn(ledger, unfinished, since, "after the last kill");
      letFinish(store);
      last.stop();
      assertNothingLostOrDoubled(store, ledger);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void on_postgres_a_second_node_goes_on() throws Exception {
    var store = TestPostgres.newDatabase();
    try (var ledger = new Ledger();
        var program = new VictimProgram(store, ledger.port(), folder)) {
      rehearse(program);
      var nodes = new ArrayList<VictimProcess>();
      nodes.add(program.start("a-"));
      nodes.add(program.start("b-"));
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
          var unfinished = unfinished(ledger, victim.acknowledged());
          assertGoesOn(ledger, unfinished, System.nanoTime(), "after kill " + kill);
        }
        nodes.set(which, program.start("k" + kill + "-"));
      }
      nodes.get(0).kill();
      acknowledged.addAll(nodes.get(0).acknowledged());
      nodes.get(1).kill();
      acknowledged.addAll(nodes.get(1).acknowledged());
      var last = program.startLast();
      last.awaitReady();
      letFinish(store);
      last.stop();
      assertNothingLostOrDoubled(store, ledger);
    }
  }

  /// What it leaves unfinished the others finish.
  private void rehearse(VictimProgram program) throws Exception {
    var first = program.rehearse("rehearsal-");
    first.awaitWorking();
    first.stop();
    acknowledged.addAll(first.acknowledged());
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

  /// What the killed process had said is heard: who is heard of from now on is another one.
  private static long afterAllCalls(Ledger ledger) {
    long until = System.nanoTime() + FINISHED_WITHIN.toNanos();
    while (ledger.isCalled()) {
      assertThat(System.nanoTime()).as("a process that is gone hangs up").isLessThan(until);
      LockSupport.parkNanos(1_000_000);
    }
    return System.nanoTime();
  }

  /// Somebody takes up what the killed process left behind. A machine that stands still shows
  /// nothing: between two looks there is not more than a moment.
  private static void assertGoesOn(Ledger ledger, Set<String> unfinished, long since, String when) {
    if (unfinished.isEmpty()) return;
    var spent = Duration.ZERO;
    var looked = System.nanoTime();
    while (unfinished.stream().noneMatch(saga -> ledger.heardOf(saga, since))) {
      assertThat(spent).as("%s: work goes on within 5 s", when).isLessThan(GOES_ON_WITHIN);
      LockSupport.parkNanos(5_000_000);
      var now = System.nanoTime();
      spent = spent.plusNanos(Math.min(now - looked, MOMENT.toNanos()));
      looked = now;
    }
  }

  /// Whatever is not finished by then will be found.
  private static void letFinish(String store) {
    long until = System.nanoTime() + FINISHED_WITHIN.toNanos();
    while (isLeft(store) && System.nanoTime() < until) LockSupport.parkNanos(100_000_000);
  }

  private static boolean isLeft(String store) {
    try (var now = Victim.look(store)) {
      return !now.read(
              "look for what is left",
              session ->
                  session.list(
                      "select id from tuntas_saga where status <> 'D' limit 1",
                      row -> row.getString(1)))
          .isEmpty();
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
