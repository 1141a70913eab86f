package dev.tuntas.bench.http;

import static dev.tuntas.bench.Figures.plain;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.Workplace;
import dev.tuntas.bench.server.ServerProcess;
import dev.tuntas.bench.server.ServerProgram;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Snapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Measures the server on one store: first how much it can accept, then what it does with less and
/// with more than that.
final class HttpRun {

  static final double[] FACTORS = {0.5, 1, 2, 5, 10};

  /// Each load comes in turns with the others, as often at every place of the order: what the
  /// machine does meanwhile, or a database that tidies up after the load before, meets all of them.
  private static final int[][] ROUNDS = {
    {0, 1, 4, 2, 3}, {1, 2, 0, 3, 4}, {2, 3, 1, 4, 0}, {3, 4, 2, 0, 1}, {4, 0, 3, 1, 2},
    {3, 2, 4, 1, 0}, {4, 3, 0, 2, 1}, {0, 4, 1, 3, 2}, {1, 0, 2, 4, 3}, {2, 1, 3, 0, 4}
  };

  /// A run that is shorter than this makes half of the rounds, and one that is shorter than a fifth
  /// of it only two: what is waited for between turns would take most of the time.
  private static final Duration ALL_ROUNDS = Duration.ofSeconds(10);

  private static final int[] CLIENTS = {16, 64, 256};
  private static final Duration SEARCH_MAX = Duration.ofSeconds(20);
  private static final Duration WARM_UP_MAX = Duration.ofSeconds(5);
  private static final int WARM_UPS_MIN = 8;

  /// For a run that is too short to tell how fast the server gets.
  private static final int WARM_UPS_OF_SHORT_RUN = 2;

  private static final int WARM_UPS_MAX = 12;
  private static final double FASTER = 1.1;
  private static final double TOO_MUCH = 3;

  /// Until as many orders are open as the server lets be: what is accepted meanwhile would not go
  /// on for long.
  private static final Duration RUN_IN_MAX = Duration.ofSeconds(4);

  /// Of the time for one load, in all of its turns.
  private static final double RUN_IN = 4.0 / 15;

  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final String KEY = "bench-client-key-0123456789abcdef";

  private final ServerProgram program;
  private final Workplace workplace;
  private final StoreKind store;
  private final Duration span;
  private final Duration search;
  private final Duration warmUp;
  private final Duration runIn;
  private final int rounds;
  private final Progress progress;

  HttpRun(
      ServerProgram program,
      Workplace workplace,
      StoreKind store,
      Duration span,
      Progress progress) {
    this.program = program;
    this.workplace = workplace;
    this.store = store;
    this.span = span;
    this.search = shorter(span, SEARCH_MAX);
    this.warmUp = shorter(span, WARM_UP_MAX);
    this.runIn = shorter(Duration.ofMillis((long) (span.toMillis() * RUN_IN)), RUN_IN_MAX);
    this.rounds = rounds(span);
    this.progress = progress;
  }

  private static int rounds(Duration span) {
    if (span.compareTo(ALL_ROUNDS) >= 0) return ROUNDS.length;
    return span.compareTo(ALL_ROUNDS.dividedBy(5)) < 0 ? 2 : ROUNDS.length / 2;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  HttpResult measure() throws IOException, InterruptedException {
    progress.phase(store.title() + ": starting the server");
    var output = workplace.folder("server-" + store + ".log");
    try (var server = ServerProcess.start(program, output, arguments())) {
      var orders = Orders.checkouts(server.await(START_WITHIN), KEY);
      var result = measure(orders, new Backlog(this::tables), new Cpu(server));
      server.stop();
      return result;
    }
  }

  private List<String> arguments() {
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("--data", workplace.folder("data-" + store).toString()));
    arguments.add("--tuntas.credentials.client-key=" + KEY);
    if (store == StoreKind.POSTGRES) {
      arguments.add("--tuntas.database.url=" + workplace.postgres().url());
      arguments.add("--tuntas.database.user=" + workplace.postgres().user());
      arguments.add("--tuntas.rate-limit.per-second=0");
    }
    return arguments;
  }

  private Optional<Snapshot> tables() {
    return store == StoreKind.SQLITE
        ? Snapshot.ofSagas(workplace.folder("data-" + store).resolve("orders"))
        : Snapshot.ofSagas(
            PostgresSettings.of(workplace.postgres().url(), workplace.postgres().user(), ""));
  }

  private HttpResult measure(Orders orders, Backlog backlog, Cpu cpu)
      throws IOException, InterruptedException {
    warmUp(orders);
    backlog.drain(patience());
    double capacity = 0;
    for (int clients : CLIENTS) {
      progress.phase(store.title() + ": capacity with " + clients + " clients");
      ClosedLoop.run(orders, clients, runIn);
      var tally = ClosedLoop.run(orders, clients, search);
      double rate = tally.accepted() / (search.toMillis() / 1000.0);
      capacity = Math.max(capacity, rate);
      long left = backlog.drain(patience());
      say(clients + " clients: " + plain(rate) + " accepted per second" + leftOver(left));
    }
    var phases = new ArrayList<Phase.Sum>();
    for (double factor : FACTORS) phases.add(new Phase.Sum(factor, factor * capacity));
    try (var load = new OpenLoop(orders)) {
      warmUp(load, backlog, capacity);
      for (int round = 0; round < rounds; round++) {
        for (int turn : ROUNDS[round]) run(phases.get(turn), load, backlog, cpu);
      }
    }
    for (var phase : phases) say(phase.get());
    return new HttpResult(store, capacity, phases.stream().map(Phase.Sum::get).toList());
  }

  /// Lets orders come until the server gets hardly faster: its code is compiled as it is used.
  private void warmUp(Orders orders) {
    int least = span.compareTo(WARM_UP_MAX) < 0 ? WARM_UPS_OF_SHORT_RUN : WARM_UPS_MIN;
    long best = 0;
    for (int i = 1; i <= WARM_UPS_MAX; i++) {
      progress.phase(store.title() + ": warming up");
      var tally = ClosedLoop.run(orders, CLIENTS[1], warmUp);
      requireAcceptance(tally);
      say(
          "warming up: "
              + plain(tally.accepted() / (warmUp.toMillis() / 1000.0))
              + " accepted per second");
      if (i >= least && tally.accepted() < FASTER * best) return;
      best = Math.max(best, tally.accepted());
    }
  }

  /// The same for what is only done when there is too much.
  private void warmUp(OpenLoop load, Backlog backlog, double capacity) throws InterruptedException {
    progress.phase(store.title() + ": warming up with too much");
    var tally = load.run(TOO_MUCH * capacity, runIn, runIn);
    backlog.drain(patience());
    say("warming up: " + tally.shed() + " refused");
  }

  private void run(Phase.Sum phase, OpenLoop load, Backlog backlog, Cpu cpu)
      throws InterruptedException {
    progress.phase(store.title() + ": " + phase.factor() + " times the capacity");
    var marks = new ConcurrentLinkedQueue<Phase.Mark>();
    var round = span.dividedBy(rounds);
    load.run(
        phase.offered(),
        runIn,
        round,
        phase.tally(),
        () -> marks.add(new Phase.Mark(System.nanoTime(), backlog.count(), cpu.now())));
    var begin = marks.poll();
    var end = marks.poll();
    if (begin == null || end == null) throw new BenchException("open orders cannot be counted");
    phase.add(round, end.since(begin));
    long left = backlog.drain(patience());
    if (left > Backlog.FEW) say(phase.factor() + " times the capacity" + leftOver(left));
  }

  private void say(Phase phase) {
    say(
        "%s times the capacity: %s of %s accepted in time per second"
            .formatted(
                plain(phase.factor()), plain(phase.acceptedInTime()), plain(phase.offered())));
  }

  private void say(String found) {
    progress.say(store.title() + ": " + found);
  }

  private static String leftOver(long left) {
    return left > Backlog.FEW ? "; " + left + " orders are still open" : "";
  }

  /// How long the server may take to finish what it has accepted, before the next phase begins.
  private Duration patience() {
    return span.multipliedBy(6);
  }

  private static void requireAcceptance(Tally tally) {
    if (tally.accepted() == 0) {
      throw new BenchException(
          "the server accepted nothing; its last answer was " + tally.lastStatus());
    }
  }
}
