package dev.tuntas.bench;

import dev.tuntas.bench.Contender.Shop;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The customers of one shop: they begin checkouts and note when these end. One thread begins them
/// all, so that the load costs little beside what is measured.
final class Load {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// A window of time, and what happened in it.
  record Window(int ended, Duration took, Latencies latencies, Duration cpu) {

    double perSecond() {
      return ended / (took.toNanos() / 1e9);
    }

    double cpuMicrosPerSaga() {
      return cpu.toNanos() / 1e3 / ended;
    }
  }

  private final Shop shop;
  private final OrderIds ids;
  private final BlockingQueue<Checkout> endings = new LinkedBlockingQueue<>();
  private long begun;
  private long ended;

  Load(Shop shop, OrderIds ids) {
    this.shop = shop;
    this.ids = ids;
  }

  /// How many checkouts ended.
  long ended() {
    return ended;
  }

  /// One checkout under way.
  private final class Checkout implements Runnable {
    private final long begunAt = System.nanoTime();
    private long endedAt;

    @Override
    public void run() {
      endedAt = System.nanoTime();
      endings.add(this);
    }

    long took() {
      return endedAt - begunAt;
    }
  }

  private void begin() {
    begun += 1;
    shop.begin(ids.next(), new Checkout());
  }

  /// Keeps so many checkouts in flight: first to warm up, then to be measured.
  Window saturate(int inFlight, Duration warmUp, Duration span) throws InterruptedException {
    for (int i = 0; i < inFlight; i++) begin();
    keepBusy(warmUp);
    var window = keepBusy(span);
    drain();
    return window;
  }

  private Window keepBusy(Duration span) throws InterruptedException {
    var latencies = new Latencies();
    long cpu = cpuNanos();
    long start = System.nanoTime();
    long now = start;
    while (now - start < span.toNanos()) {
      var checkout = nextEnding();
      latencies.add(checkout.took());
      begin();
      now = System.nanoTime();
    }
    return window(start, now, latencies, cpu);
  }

  /// Begins checkouts at a steady pace, whether or not earlier ones have ended.
  Window pace(int perSecond, Duration span) throws InterruptedException {
    long cpu = cpuNanos();
    long start = System.nanoTime();
    var pace = new Pace(perSecond, span);
    while (pace.next()) begin();
    var latencies = drain();
    return window(start, System.nanoTime(), latencies, cpu);
  }

  private static Window window(long start, long end, Latencies latencies, long cpuBefore) {
    return new Window(
        latencies.count(),
        Duration.ofNanos(end - start),
        latencies,
        Duration.ofNanos(cpuNanos() - cpuBefore));
  }

  private Latencies drain() throws InterruptedException {
    var latencies = new Latencies();
    while (ended < begun) latencies.add(nextEnding().took());
    return latencies;
  }

  private Checkout nextEnding() throws InterruptedException {
    var checkout = endings.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (checkout == null) {
      throw new BenchException(
          "no checkout ended within %d s; %d are under way"
              .formatted(PATIENCE.toSeconds(), begun - ended));
    }
    ended += 1;
    return checkout;
  }

  private static long cpuNanos() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean ours
        ? ours.getProcessCpuTime()
        : 0;
  }
}
