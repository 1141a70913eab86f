package dev.tuntas.bench.http;

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

/// Measures the server on one store: first how much it can accept, then what it does with less and
/// with more than that.
final class HttpRun {

  static final double[] FACTORS = {0.5, 1, 2, 5, 10};

  private static final int[] CLIENTS = {16, 64, 256};
  private static final int WARM_UPS_MIN = 3;
  private static final int WARM_UPS_MAX = 8;
  private static final double FASTER = 1.1;
  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final String KEY = "bench-client-key-0123456789abcdef";

  private final ServerProgram program;
  private final Workplace workplace;
  private final StoreKind store;
  private final Duration span;
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
    this.progress = progress;
  }

  HttpResult measure() throws IOException, InterruptedException {
    progress.phase(store.title() + ": starting the server");
    var output = workplace.folder("server-" + store + ".log");
    try (var server = ServerProcess.start(program, output, arguments())) {
      var orders = new Orders(server.await(START_WITHIN), KEY);
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
      var tally = ClosedLoop.run(orders, clients, span);
      capacity = Math.max(capacity, tally.accepted() / seconds());
      backlog.drain(patience());
    }
    var phases = new ArrayList<Phase>();
    try (var load = new OpenLoop(orders)) {
      for (double factor : FACTORS) phases.add(phase(load, backlog, cpu, factor, capacity));
    }
    return new HttpResult(store, capacity, phases);
  }

  /// Lets orders come until the server gets hardly faster: its code is compiled as it is used.
  private void warmUp(Orders orders) {
    long best = 0;
    for (int i = 1; i <= WARM_UPS_MAX; i++) {
      progress.phase(store.title() + ": warming up");
      var tally = ClosedLoop.run(orders, CLIENTS[1], span);
      requireAcceptance(tally);
      if (i >= WARM_UPS_MIN && tally.accepted() < FASTER * best) return;
      best = Math.max(best, tally.accepted());
    }
  }

  private Phase phase(OpenLoop load, Backlog backlog, Cpu cpu, double factor, double capacity)
      throws InterruptedException {
    progress.phase(store.title() + ": " + factor + " times the capacity");
    long before = backlog.count();
    var used = cpu.now();
    long began = System.nanoTime();
    var tally = load.run(factor * capacity, span);
    double took = (System.nanoTime() - began) / 1e9;
    var share = cpu.now().since(used).per(took);
    double grown = (backlog.count() - before) / took;
    backlog.drain(patience());
    return new Phase(factor, factor * capacity, took, tally, grown, share);
  }

  private double seconds() {
    return span.toNanos() / 1e9;
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
