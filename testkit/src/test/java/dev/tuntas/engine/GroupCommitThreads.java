package dev.tuntas.engine;

import dev.tuntas.engine.GroupCommit.Fate;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.testkit.MemoryStore;
import dev.tuntas.testkit.simulation.ForwardingStore;
import dev.tuntas.testkit.threads.Planned;
import dev.tuntas.testkit.threads.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// A few threads hand in starts, others write them on a store that fails now and then, in all the
/// ways that it may. Each start is answered once, with what became of it.
public final class GroupCommitThreads implements Scenario {

  private static final int FAILURES_MAX = 40;

  /// No failure.
  private static final int SURE = 5;

  private final InstantSource clock = InstantSource.system();
  private final MemoryStore truth = new MemoryStore(clock);
  private final List<AtomicInteger> answers = new ArrayList<>();
  private volatile boolean over;

  @Override
  public void run(RandomGenerator random) throws Exception {
    int node = truth.join("node");
    int batch = 1 + random.nextInt(4);
    var commits = new GroupCommit(new Failing(random), node, batch, clock, EngineListener.NONE);
    var bell = new Bell();
    commits.onSubmit(bell::ring);
    var writers = new ArrayList<Thread>();
    int many = 1 + random.nextInt(3);
    for (int i = 0; i < many; i++) writers.add(begin("writer-" + i, () -> write(commits, bell)));
    var clients = new ArrayList<Thread>();
    for (int i = 0; i < 3; i++) {
      int first = 4 * i;
      for (int n = first; n < first + 4; n++) answers.add(new AtomicInteger());
      clients.add(begin("client-" + i, () -> submit(commits, first)));
    }
    for (var client : clients) client.join();
    while (commits.waiting() > 0) Thread.sleep(10);
    over = true;
    for (var writer : writers) writer.join();
    requireAnswers();
  }

  private static Thread begin(String name, Runnable work) {
    return Thread.ofPlatform().name(name).start(work);
  }

  private void submit(GroupCommit commits, int first) {
    for (int n = first; n < first + 4; n++) {
      var answered = answers.get(n);
      var id = "saga-" + n;
      commits.submit(start(id), fate -> answered(id, answered, fate));
    }
  }

  private void answered(String id, AtomicInteger times, Fate fate) {
    times.incrementAndGet();
    boolean there = truth.row(id) != null;
    if (there != (fate == Fate.WRITTEN)) throw new IllegalStateException(id + " is " + fate);
  }

  private Write.Insert start(String id) {
    var at = Instant.parse("2026-01-01T00:00:00Z");
    return new Write.Insert(
        id, 1, Status.RUNNING, 0, null, at.plusSeconds(3_600), "p", "d", "accepted", List.of(), at);
  }

  private void write(GroupCommit commits, Bell bell) {
    try {
      while (!over) {
        switch (commits.flush()) {
          case SOME -> {}
          case NOTHING -> bell.await(Duration.ofMillis(200));
          case FAILED -> Thread.sleep(200);
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void requireAnswers() {
    for (int n = 0; n < answers.size(); n++) {
      int times = answers.get(n).get();
      if (times != 1) throw new AssertionError("saga-" + n + " was answered " + times + " times");
    }
  }

  /// Fails a few times, and then no more.
  private final class Failing extends ForwardingStore {

    private final RandomGenerator random;
    private int failures;

    Failing(RandomGenerator random) {
      super(truth);
      this.random = random;
    }

    @Override
    public BitSet commit(int node, List<Write> batch) {
      return sometimes(() -> super.commit(node, batch));
    }

    @Override
    public BitSet wrote(int node, List<Write> batch) {
      return sometimes(() -> super.wrote(node, batch));
    }

    private BitSet sometimes(Supplier<BitSet> work) {
      int how = draw();
      if (how == 3) throw new Surprise();
      if (how == 0) throw new StoreException(Kind.NOT_DONE, "planned", null);
      if (how == 1) throw new StoreException(Kind.BLOCKED, "planned", null);
      var done = work.get();
      if (how == 4) throw new Surprise();
      if (how == 2) throw new StoreException(Kind.UNKNOWN, "planned", null);
      return done;
    }

    private synchronized int draw() {
      if (failures >= FAILURES_MAX) return SURE;
      int how = random.nextInt(SURE + 1);
      if (how < 5) failures += 1;
      return how;
    }
  }

  /// What no store says.
  private static final class Surprise extends RuntimeException implements Planned {
    private static final long serialVersionUID = 1L;

    Surprise() {
      super("planned");
    }
  }
}
