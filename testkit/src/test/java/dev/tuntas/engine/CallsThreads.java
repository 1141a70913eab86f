package dev.tuntas.engine;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.Next.Queue;
import dev.tuntas.engine.Next.Rank;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.testkit.threads.Scenario;
import dev.tuntas.testkit.threads.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// Calls that are answered just when their time is over. Each is reported once, and in time.
public final class CallsThreads implements Scenario {

  private static final Duration TIMEOUT = Duration.ofMillis(100);
  private static final int LOOK_EVERY = 20;

  private final VirtualCalls calls = new VirtualCalls();
  private final List<AtomicInteger> reports = new ArrayList<>();

  @Override
  public void run(RandomGenerator random) throws Exception {
    int many = 1 + random.nextInt(4);
    for (int i = 0; i < many; i++) {
      reports.add(new AtomicInteger());
      make(i, 1, 80 + random.nextInt(60));
    }
    for (int i = 0; calls.underWay() > 0 || i < 20; i++) {
      if (i > 100) throw new AssertionError(calls.underWay() + " calls have no end");
      Thread.sleep(LOOK_EVERY);
      calls.expire();
    }
    Schedule.calm();
    Thread.sleep(1_000);
    for (var reported : reports) {
      if (reported.get() != 2) throw new AssertionError("2 calls, " + reported.get() + " reports");
    }
  }

  private void make(int number, int attempt, int took) {
    var id = "saga-" + number;
    var call = new Call(id, "pay", "key-" + id, attempt, TIMEOUT);
    var queue = new Queue("", Rank.ACT, Instant.MAX);
    calls.make(
        new Make(Direction.DO, call, queue),
        (data, _) -> {
          Thread.sleep(took);
          return Outcome.done(data);
        },
        number,
        _ -> {
          reports.get(number).incrementAndGet();
          if (attempt == 1) make(number, 2, took);
        });
  }
}
