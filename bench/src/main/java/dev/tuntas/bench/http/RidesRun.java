package dev.tuntas.bench.http;

import static dev.tuntas.bench.Figures.plain;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.Workplace;
import dev.tuntas.bench.server.ServerProcess;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/// Fills the server with rides whose partner assigns no job, looks how it fares with them, and then
/// lets the partner go on.
final class RidesRun {

  static final int HEAP_MB = 512;

  private static final int CLIENTS = 64;
  private static final double RIDES_PER_SECOND = 50;
  private static final double LOOKS_PER_SECOND = 200;
  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final Duration RUN_IN = Duration.ofSeconds(2);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final String CLIENT = "bench-client-key-0123456789abcdef";
  private static final String ADMIN = "bench-admin-key-0123456789abcdef";

  /// @param waiting how many rides are to wait for their job ids at once
  /// @param rate how many calls the partner takes per second
  /// @param span how long the server is looked at meanwhile
  record Wanted(int waiting, int rate, Duration span) {}

  private final ServerProgram program;
  private final Workplace workplace;
  private final Wanted wanted;
  private final Progress progress;

  RidesRun(ServerProgram program, Workplace workplace, Wanted wanted, Progress progress) {
    this.program = program.with(List.of("-Xmx" + HEAP_MB + "m"));
    this.workplace = workplace;
    this.wanted = wanted;
    this.progress = progress;
  }

  RidesResult measure() throws IOException, InterruptedException {
    progress.phase("starting the server");
    var data = workplace.folder("data");
    var arguments =
        List.of(
            "--data",
            data.toString(),
            "--tuntas.credentials.client-key=" + CLIENT,
            "--tuntas.credentials.admin-key=" + ADMIN,
            "--tuntas.partners.bbd.rate-limit=" + wanted.rate);
    try (var server = ServerProcess.start(program, workplace.folder("server.log"), arguments)) {
      var address = server.await(WITHIN);
      try (var operator = new Operator(address, ADMIN)) {
        operator.setFlags("{\"server_busy\":{\"enabled\":true,\"shadow_mode\":true}}");
        operator.setPartner(
            "{\"callback_rate\":0,\"paused\":true,\"rate_limit_per_s\":" + wanted.rate + "}");
        var result = measure(server, operator, Orders.rides(address, CLIENT), new RideTables(data));
        server.stop();
        return result;
      }
    }
  }

  private RidesResult measure(
      ServerProcess server, Operator operator, Orders rides, RideTables tables)
      throws IOException, InterruptedException {
    progress.phase("filling");
    long began = System.nanoTime();
    var filled = ClosedLoop.fill(rides, CLIENTS, wanted.waiting, WITHIN);
    double filling = since(began);
    requireFull(filled);
    progress.say(filled.accepted() + " rides accepted in " + plain(filling) + " s");
    progress.phase("waiting for their bookings");
    boolean allBooked = await(() -> filled.accepted() - tables.booked());
    double booking = since(began);
    progress.say("all booked after " + plain(booking) + " s");

    progress.phase("looking how it fares");
    var before = operator.traffic();
    long looked = System.nanoTime();
    var front = frontDoor(rides, new Looks(rides.server(), CLIENT, tables.some()));
    long waiting = tables.withoutJob();
    var after = operator.traffic();
    double asked = (after.calls() - before.calls()) / since(looked);
    server.collectGarbage();
    long heap = operator.heapBytes();
    progress.say("%d wait, %s calls/s".formatted(waiting, plain(asked)));

    progress.phase("letting the partner assign jobs");
    operator.setPartner("{\"paused\":false,\"driver_rate\":0,\"trip_callback_rate\":0}");
    long assigned = System.nanoTime();
    boolean allHaveJobs = await(tables::withoutJob);
    return new RidesResult(
        wanted,
        waiting,
        filling,
        booking,
        front,
        heap,
        asked,
        operator.traffic(),
        since(assigned),
        allBooked && allHaveJobs ? 0 : tables.withoutJob());
  }

  /// @param accepting new rides that came in meanwhile
  /// @param showing customers who looked at theirs
  record FrontDoor(Tally accepting, Tally showing) {}

  private FrontDoor frontDoor(Orders rides, Looks looks) throws IOException, InterruptedException {
    try (var placing = new OpenLoop(rides);
        var looking = new OpenLoop(looks);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Tally> places = () -> placing.run(RIDES_PER_SECOND, RUN_IN, wanted.span);
      Callable<Tally> shows = () -> looking.run(LOOKS_PER_SECOND, RUN_IN, wanted.span);
      var accepting = threads.submit(places);
      var showing = threads.submit(shows);
      return new FrontDoor(accepting.get(), showing.get());
    } catch (ExecutionException e) {
      throw new BenchException("the load broke off", e);
    }
  }

  private static boolean await(LongSupplier left) throws InterruptedException {
    long end = System.nanoTime() + WITHIN.toNanos();
    while (left.getAsLong() > 0) {
      if (System.nanoTime() > end) return false;
      Thread.sleep(LOOK_AGAIN);
    }
    return true;
  }

  private void requireFull(Tally filled) {
    if (filled.accepted() >= wanted.waiting) return;
    throw new BenchException(
        "only %d rides were accepted within %d s; the last other answer was %d"
            .formatted(filled.accepted(), WITHIN.toSeconds(), filled.lastStatus()));
  }

  private static double since(long began) {
    return (System.nanoTime() - began) / 1e9;
  }
}
