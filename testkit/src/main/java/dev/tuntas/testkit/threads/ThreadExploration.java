package dev.tuntas.testkit.threads;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Explores what threads do to each other. It runs a [Scenario], and all of our classes that this
/// uses, under schedules that are drawn by seeds: one thread at a time, switching wherever it could
/// matter, in virtual time. What must not happen throws an [AssertionError] with the seed and a
/// story: a deadlock, a thread that goes on and on while no time passes, a scenario that comes to
/// no end, a thread that outlives it, an exception that nobody planned, and whatever the scenario
/// asserts.
///
/// The classes are the real ones; only what waits, what tells the time and what threads share is
/// redirected in their bytecode. A class that uses something of that kind which is not known here
/// is refused.
public final class ThreadExploration {

  private static final int TWICE = 50;

  private final Class<?> scenario;
  private final Replacements replacements = new Replacements();
  private final ControlledLoader loader;
  private Duration bound = Duration.ofMinutes(30);
  private Duration pauseMax = Duration.ofSeconds(10);
  private long switches;
  private long points;
  private int runs;

  private ThreadExploration(Class<? extends Scenario> scenario) {
    this.loader = new ControlledLoader(scenario.getClassLoader(), replacements);
    this.scenario = scenario;
  }

  public static ThreadExploration of(Class<? extends Scenario> scenario) {
    return new ThreadExploration(scenario);
  }

  /// With a mistake: each static method of this class is called where the class of its first
  /// parameter has one of the same name with the other parameters. From here, that one is called.
  public ThreadExploration with(Class<?> mistake) {
    replacements.plant(loader.model(mistake.getName()).orElseThrow());
    return this;
  }

  /// With another mistake: these methods take no lock.
  public ThreadExploration unlocked(String type, String... methods) {
    replacements.unlock(type, methods);
    return this;
  }

  /// What the code under test calls of these packages of the JDK, the scenario plays itself: it
  /// waits for nothing real.
  public ThreadExploration playing(String... packages) {
    for (var name : packages) replacements.play(name);
    return this;
  }

  /// For so long in virtual time a scenario may go on.
  public ThreadExploration within(Duration span) {
    bound = span;
    return this;
  }

  /// For so long at most a thread stands still where it was preempted.
  public ThreadExploration pauses(Duration atMost) {
    pauseMax = atMost;
    return this;
  }

  /// How many schedules were run, and how often threads were switched.
  public String tally() {
    return runs + " schedules, " + switches + " switches at " + points + " points";
  }

  public ThreadExploration seeds(int count) {
    return seeds(1, count);
  }

  /// Runs so many seeds, from the first one on.
  public ThreadExploration seeds(long first, int count) {
    for (long seed = first; seed < first + count; seed++) seed(seed);
    return this;
  }

  /// One seed. Every 50th is run twice and must give the same trace.
  public ThreadExploration seed(long seed) {
    var ran = run(scheduler(seed, false), seed);
    if (ran.failure() != null) throw found(seed, ran.failure());
    if (seed % TWICE == 0) requireSame(seed, ran, run(scheduler(seed, false), seed));
    return this;
  }

  private static void requireSame(long seed, Scheduler.Ran ran, Scheduler.Ran again) {
    if (again.hash() == ran.hash()) return;
    throw new AssertionError("seed " + seed + " gave two traces, chance leaks in: " + ran + again);
  }

  /// The same once more, with the story. Classes that do not fit together are no finding: a mistake
  /// was planted where it cannot be called.
  private AssertionError found(long seed, Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LinkageError) throw new IllegalStateException(cause);
    }
    var telling = scheduler(seed, true);
    var again = run(telling, seed);
    var told = again.failure() == null ? failure : again.failure();
    return new AssertionError(
        "seed "
            + seed
            + " of "
            + scenario.getSimpleName()
            + ": "
            + told
            + "\n"
            + telling.manners()
            + "\n"
            + telling.story(),
        told);
  }

  private Scheduler scheduler(long seed, boolean tells) {
    return new Scheduler(seed, bound.toNanos(), pauseMax.toNanos(), tells);
  }

  private Scheduler.Ran run(Scheduler scheduler, long seed) {
    var type = loader.ready(scenario.getName());
    var random = new SplittableRandom(~seed);
    var ran = scheduler.run(() -> runOnce(type, random));
    runs += 1;
    switches += ran.switches();
    points += ran.points();
    return ran;
  }

  private static void runOnce(Class<?> type, RandomGenerator random) {
    try {
      ((Scenario) type.getDeclaredConstructor().newInstance()).run(random);
    } catch (InvocationTargetException thrown) {
      throw new AssertionError("the scenario cannot be made", thrown.getCause());
    } catch (Exception thrown) {
      throw new AssertionError("the scenario throws " + thrown, thrown);
    }
  }
}
