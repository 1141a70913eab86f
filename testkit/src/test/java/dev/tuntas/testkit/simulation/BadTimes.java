package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.testkit.threads.Planned;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// When the store is slow, when it fails and how. After the last of them it is well.
final class BadTimes {

  /// What is done on the store.
  enum Task {
    BEAT,
    COMMIT,
    OTHER
  }

  private enum Trouble {
    SLOW,
    STARVED,
    LOST_ANSWERS,
    LOCKED,
    SURPRISING
  }

  private record Spell(Trouble kind, Instant from, Instant until, int slowness, List<Task> work) {}

  private static final int[] SLOWNESS = {1, 20, 200, 3_500};

  private final RandomGenerator random;
  private final InstantSource clock;
  private final List<Spell> spells = new ArrayList<>();
  private Instant end;

  /// Fewer than what makes an entry the culprit, which a person would have to look at.
  private final AtomicInteger surprises = new AtomicInteger(8);

  BadTimes(RandomGenerator drawn, InstantSource clock, Duration within) {
    this.random = drawn;
    this.clock = clock;
    this.end = clock.instant();
    for (var kind : Trouble.values()) if (drawn.nextInt(3) == 0) draw(kind, within.toMillis());
  }

  private void draw(Trouble kind, long within) {
    var from = clock.instant().plusMillis(random.nextLong(within / 2));
    var until = from.plusMillis(1 + random.nextLong(within / 2));
    var work = new ArrayList<Task>();
    for (var one : Task.values()) if (random.nextBoolean()) work.add(one);
    spells.add(new Spell(kind, from, until, SLOWNESS[random.nextInt(SLOWNESS.length)], work));
    if (until.isAfter(end)) end = until;
  }

  Instant end() {
    return end;
  }

  /// Does some work, with whatever trouble there is now.
  <T> T on(Task work, Supplier<T> done) {
    boolean lost = false;
    for (var spell : spells) if (isOn(spell, work)) lost |= meet(spell);
    var result = done.get();
    if (lost) throw new StoreException(Kind.UNKNOWN, "planned: the answer came too late", null);
    return result;
  }

  private boolean isOn(Spell spell, Task work) {
    var now = clock.instant();
    return spell.work().contains(work)
        && !now.isBefore(spell.from())
        && now.isBefore(spell.until());
  }

  private synchronized int draw(int bound) {
    return random.nextInt(bound);
  }

  /// Whether it is done and nobody hears of it.
  private boolean meet(Spell spell) {
    switch (spell.kind()) {
      case SLOW -> sleep(draw(1 + spell.slowness()));
      case STARVED -> {
        sleep(draw(1 + spell.slowness()));
        throw new StoreException(Kind.NOT_DONE, "planned: no connection", null);
      }
      case LOST_ANSWERS -> {
        return draw(2) == 0;
      }
      case LOCKED -> {
        if (draw(2) == 0) throw new StoreException(Kind.BLOCKED, "planned: a lock", null);
      }
      case SURPRISING -> {
        if (draw(3) == 0 && surprises.decrementAndGet() >= 0) throw new Surprise();
      }
    }
    return false;
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new StoreException(Kind.NOT_DONE, "planned: interrupted", null);
    }
  }

  /// What no store says.
  private static final class Surprise extends OutOfMemoryError implements Planned {
    private static final long serialVersionUID = 1L;

    Surprise() {
      super("planned");
    }
  }
}
