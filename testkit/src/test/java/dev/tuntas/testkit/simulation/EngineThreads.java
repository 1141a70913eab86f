package dev.tuntas.testkit.simulation;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static java.util.Objects.requireNonNull;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Lane;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Publisher;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.StoreException;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import dev.tuntas.testkit.MemoryStore;
import dev.tuntas.testkit.checkout.CheckoutWorld;
import dev.tuntas.testkit.checkout.Purchase;
import dev.tuntas.testkit.threads.Planned;
import dev.tuntas.testkit.threads.Scenario;
import dev.tuntas.testkit.threads.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Engines with all their threads on a store that has bad times, behind it a bank and a warehouse
/// that are slow, and before it a few clients. When the bad times are over everything must come to
/// its end: each saga, each notice, and after `close` each thread.
public final class EngineThreads implements Scenario {

  private static final Duration BAD_TIMES = ofSeconds(12);

  /// Far more than what retries, doubt, a take-over and a sweep take together.
  private static final Duration PATIENCE = ofMinutes(15);

  private static final int LOOKS_MAX = 600;
  private static final int DECLINED = 7;
  private static final int GARBLED = 13;

  private final InstantSource clock = InstantSource.system();
  private final MemoryStore truth = new MemoryStore(clock);
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> ids = new ArrayList<>();
  private final List<Engine> engines = new ArrayList<>();
  private final List<BadTimes> badTimes = new ArrayList<>();
  private RandomGenerator random = new SplittableRandom();
  private Lane.@Nullable Settings lane;
  private @Nullable World<Purchase> world;
  private @Nullable Checker<Purchase> checker;
  private @Nullable SagaDefinition<Purchase> checkout;

  @Override
  public void run(RandomGenerator drawn) throws Exception {
    random = drawn;
    var variant =
        new CheckoutWorld.Variant(
            false, drawn.nextBoolean(), drawn.nextInt(3) == 0, false, drawn.nextInt(4) == 0);
    var shop = new CheckoutWorld(variant, new Callbacks(), drawn);
    if (drawn.nextBoolean()) lane = drawnLane();
    world = shop;
    checkout = world.saga().rewired(this::wired);
    var time = new VirtualTime();
    checker = new Checker<>(world, truth, new Trace(time), time);
    int nodes = 1 + drawn.nextInt(2);
    var codec = new SharedCodec();
    for (int i = 0; i < nodes; i++) engines.add(open(codec));
    int clients = 1 + drawn.nextInt(3);
    for (int i = 0; i < clients; i++) begin("client-" + i, this::buy);
    if (drawn.nextInt(3) == 0) begin("restarter", () -> restart(codec));
    for (int i = 0; i < threads.size(); i++) threads.get(i).join();
    for (var bad : badTimes) sleepUntil(bad.end());
    Schedule.calm();
    for (var id : List.copyOf(ids)) requireEnd(id);
    requireAllPublished();
    for (var engine : engines) requireNothingLeft(engine);
    for (var engine : engines) engine.close();
    for (int i = 0; i < threads.size(); i++) threads.get(i).join();
  }

  private Lane.Settings drawnLane() {
    var lane = Lane.Settings.of("partner");
    return random.nextBoolean() ? lane.concurrency(1 + random.nextInt(2)) : lane.perSecond(20);
  }

  private void begin(String name, Work work) {
    var thread =
        Thread.ofPlatform()
            .name(name)
            .unstarted(
                () -> {
                  try {
                    work.run();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    synchronized (threads) {
      threads.add(thread);
    }
    thread.start();
  }

  @FunctionalInterface
  private interface Work {
    void run() throws InterruptedException;
  }

  private synchronized int draw(int bound) {
    return random.nextInt(bound);
  }

  // Engines

  private Engine open(SharedCodec codec) throws InterruptedException {
    var bad = new BadTimes(new SplittableRandom(draw(Integer.MAX_VALUE)), clock, BAD_TIMES);
    synchronized (engines) {
      badTimes.add(bad);
    }
    var store = new TroubledStore(truth, checker(), bad, 1 + draw(3));
    while (true) {
      try {
        return EngineSetup.on(store, codec)
            .define(requireNonNull(checkout))
            .settings(settings())
            .lane(lane == null ? Lane.Settings.of("nobody") : lane)
            .publishTo(new Consumers())
            .listener(new Listener())
            .open();
      } catch (StoreException | OutOfMemoryError unwell) {
        Thread.sleep(100);
      }
    }
  }

  /// Short waits stay in memory, or go to the store like the long ones.
  private EngineSettings settings() {
    var all = EngineSettings.standard();
    var pace = all.pace();
    var napMax = draw(2) == 0 ? Duration.ZERO : pace.napMax();
    return all.pace(
        new EngineSettings.Pace(pace.claimEvery(), napMax, pace.sweepEvery(), pace.stuckAfter()));
  }

  /// As a process that is stopped and started while work is under way.
  private void restart(SharedCodec codec) throws InterruptedException {
    Thread.sleep(draw(10_000));
    engines.getFirst().close();
    var fresh = open(codec);
    synchronized (engines) {
      engines.set(0, fresh);
    }
  }

  private Engine anEngine() {
    synchronized (engines) {
      return engines.get(draw(engines.size()));
    }
  }

  private Checker<Purchase> checker() {
    return requireNonNull(checker);
  }

  private World<Purchase> world() {
    return requireNonNull(world);
  }

  // Services

  private Step<Purchase> wired(Step<Purchase> step) {
    var slow = step.rewired(this::slowly, this::slowly, this::slowly);
    return lane == null ? slow : slow.lane(lane.name());
  }

  /// Requests and answers take their time, mostly little.
  private Action<Purchase> slowly(Action<Purchase> own) {
    return (data, call) -> {
      delay(call);
      Outcome<Purchase> outcome;
      synchronized (world()) {
        outcome = own.perform(data, call);
        Schedule.note(call.sagaId() + " " + call.step() + " " + call.key() + ": " + outcome);
        var wrong = world().wrongNow(call.sagaId());
        if (wrong != null) throw new Violation(call.sagaId(), wrong);
      }
      delay(call);
      if (mayFail(call) && draw(40) == 0) throw new Surprise("the connection was reset");
      return outcome;
    };
  }

  /// Nobody tries for ever: a call that is repeated meets no trouble at the partner.
  private static boolean mayFail(Call call) {
    return call.attempt() == 1;
  }

  private void delay(Call call) throws InterruptedException {
    if (!mayFail(call)) return;
    switch (draw(12)) {
      case 0 -> Thread.sleep(draw(1_000));
      case 1 -> Thread.sleep(call.timeout().minusMillis(draw(3)));
      case 2 -> Thread.sleep(call.timeout().plusMillis(draw(3)));
      default -> {}
    }
  }

  private final class Callbacks implements World.Outside {
    @Override
    public void signal(String sagaId, Signal signal, Duration after) {
      begin(
          "callback",
          () -> {
            Thread.sleep(after);
            patiently(() -> anEngine().signal(sagaId, signal));
          });
    }

    @Override
    public InstantSource clock() {
      return clock;
    }
  }

  private static void patiently(Runnable work) throws InterruptedException {
    while (true) {
      try {
        work.run();
        return;
      } catch (StoreException | OutOfMemoryError unwell) {
        Thread.sleep(200);
      }
    }
  }

  /// A thread begins to hear an answer once for each call.
  private static final class Listener implements EngineListener {

    private final Map<String, Integer> underWay = new HashMap<>();

    @Override
    public synchronized void calling(SagaDefinition<?> saga, Direction direction, Call call) {
      underWay.merge(name(direction, call), 1, Integer::sum);
    }

    @Override
    public synchronized void called(
        SagaDefinition<?> saga,
        Direction direction,
        Call call,
        Outcome<?> outcome,
        Duration duration) {
      int left = underWay.merge(name(direction, call), -1, Integer::sum);
      if (left < 0) throw new Violation(call.sagaId(), "an answer was heard twice: " + call);
    }

    private static String name(Direction direction, Call call) {
      return call.sagaId() + " " + direction + " " + call.step();
    }
  }

  private final class Consumers implements Publisher {
    @Override
    public void publish(Outbox.Entry notice) throws Exception {
      if (draw(20) == 0) throw new Surprise("the broker is away");
      synchronized (truth) {
        checker().published(notice);
      }
    }
  }

  /// Something goes wrong in a way that nobody said it would.
  static final class Surprise extends Exception implements Planned {
    private static final long serialVersionUID = 1L;

    Surprise(String what) {
      super(what);
    }
  }

  // Clients

  private void buy() throws InterruptedException {
    int orders = 1 + draw(4);
    for (int i = 0; i < orders; i++) {
      int number = draw(40);
      if (number % 17 == GARBLED) number = DECLINED;
      order(number);
      if (draw(3) == 0) Thread.sleep(draw(2_000));
    }
  }

  private void order(int number) throws InterruptedException {
    var id = "order-" + number;
    boolean async = draw(3) == 0;
    while (!isStarted(id, number, async)) Thread.sleep(50);
    synchronized (ids) {
      if (!ids.contains(id)) ids.add(id);
    }
    if (draw(5) == 0) {
      Thread.sleep(draw(500));
      patiently(() -> anEngine().rule(id, Ruling.cancel("client", "changed my mind")));
    }
    if (draw(3) == 0) {
      try {
        anEngine().await(id, ofMillis(draw(3_000)));
      } catch (IllegalStateException closed) {
        // that engine was closed meanwhile
      }
    }
  }

  private boolean isStarted(String id, int number, boolean async) throws InterruptedException {
    var engine = anEngine();
    var definition = requireNonNull(checkout);
    try {
      if (async) {
        var started = engine.startAsync(definition, id, world().order(number));
        started.get(20, TimeUnit.SECONDS);
      } else {
        engine.start(definition, id, world().order(number));
      }
      return true;
    } catch (StoreException
        | OutOfMemoryError
        | IllegalStateException
        | ExecutionException
        | TimeoutException unknown) {
      return false;
    }
  }

  // At the end

  private void sleepUntil(Instant then) throws InterruptedException {
    var left = Duration.between(clock.instant(), then);
    if (left.isPositive()) Thread.sleep(left);
  }

  private void requireEnd(String id) throws InterruptedException {
    var end = engines.getLast().await(id, PATIENCE);
    if (end.isEmpty()) throw new Violation(id, "it has not ended: " + truth.row(id));
    var row = truth.row(id);
    for (int i = 0; row != null && !row.status().isEnd(); i++) {
      if (i > LOOKS_MAX) throw new Violation(id, "it does not rest: " + row);
      Thread.sleep(500); // it hears what came late
      row = truth.row(id);
    }
    if (row == null) throw new Violation(id, "it is gone");
    synchronized (world()) {
      var wrong = world().wrongAtRest(row);
      if (wrong != null) throw new Violation(id, wrong + ": " + truth.history(id));
    }
  }

  private void requireAllPublished() throws InterruptedException {
    for (int i = 0; truth.lag().waiting() > 0; i++) {
      if (i > LOOKS_MAX) throw new Violation("", "notices are not published: " + truth.lag());
      Thread.sleep(500);
    }
    synchronized (truth) {
      for (var id : ids) checker().atRest(id);
    }
  }

  private static void requireNothingLeft(Engine engine) throws InterruptedException {
    for (int i = 0; engine.running() > 0; i++) {
      if (i > LOOKS_MAX) throw new Violation("", engine.running() + " sagas are still in memory");
      Thread.sleep(100);
    }
    Thread.sleep(5_000);
    var trouble = engine.vitals().trouble();
    if (trouble.isPresent()) throw new Violation("", trouble.get());
  }
}
