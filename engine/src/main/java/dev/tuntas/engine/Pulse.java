package dev.tuntas.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Life and death among processes that share a store. Each counts its own beat up and watches the
/// others'; one whose beat has stood still for too long, on the watcher's own monotonic clock and
/// over reads that worked, is declared dead. No wall clock takes part, so a clock that jumps kills
/// nobody. It is also the engine's clock: the store's time, which follows a clock that is set only
/// slowly.
final class Pulse implements InstantSource {

  private static final Logger log = LoggerFactory.getLogger(Pulse.class);

  /// When no read worked for longer than this, the time in between proves nothing.
  private static final Duration GAP_MAX = Duration.ofSeconds(1);

  /// Times that lie further ahead were never right.
  private static final Duration SET_BACK_MAX = Duration.ofDays(1);

  private record Seen(long beat, long stoodStillNanos) {}

  private final SagaStore store;
  private final int node;
  private final EngineSettings settings;
  private final LongSupplier monotonicNanos;
  private final boolean runs;
  private final Map<Integer, Seen> others = new HashMap<>();
  private volatile long goodAt;
  private final SteadyTime time;
  private volatile boolean dead;
  private volatile boolean lowest;
  private volatile int living = 1;
  private int buried;

  /// @param runs whether this process runs sagas: one that does not has no life to lose, and is
  ///   here only for the time
  Pulse(
      SagaStore store,
      int node,
      EngineSettings settings,
      LongSupplier monotonicNanos,
      boolean runs) {
    this.store = store;
    this.node = node;
    this.settings = settings;
    this.monotonicNanos = monotonicNanos;
    this.runs = runs;
    var before = monotonicNanos.getAsLong();
    var reading = store.beat(node);
    this.time = new SteadyTime("The store's clock", begin(reading.storeTime()), before);
    time.follow(reading.storeTime(), before, before);
    take(reading, before, before);
  }

  /// The time of those who live, if they are about to follow a clock that was set. Else the store's
  /// time, or, if its clock was set back while nobody looked, when something last happened: what
  /// waits was told to wait by that clock.
  private Instant begin(Instant storeTime) {
    var told = store.offset().filter(it -> isFresh(it, storeTime));
    if (told.isPresent()) return storeTime.plus(told.get().by());
    return store
        .lastMove()
        .filter(last -> last.isAfter(storeTime) && last.isBefore(storeTime.plus(SET_BACK_MAX)))
        .orElse(storeTime);
  }

  private boolean isFresh(SagaStore.Offset offset, Instant storeTime) {
    var age = Duration.between(offset.at(), storeTime).abs();
    return age.compareTo(settings.beats().deadAfter()) <= 0;
  }

  /// Whoever joins while time here is not what the store's clock says is to have the same time.
  void tellOffset() {
    long now = monotonicNanos.getAsLong();
    var offset = time.offset(now);
    if (!runs || offset.isZero()) return;
    store.tell(new SagaStore.Offset(offset, time.at(now).minus(offset)));
  }

  /// Beats once. A store that cannot be reached is no beat.
  void beat() {
    long before = monotonicNanos.getAsLong();
    long last = goodAt;
    var reading = store.beat(node);
    long after = monotonicNanos.getAsLong();
    time.follow(reading.storeTime(), before, after);
    if (!runs && !time.offset(after).isZero()) time.begin(begin(reading.storeTime()), before);
    take(reading, before, last);
  }

  private void take(SagaStore.Reading reading, long readAt, long lastReadAt) {
    if (runs && !reading.alive()) {
      dead = true;
      return;
    }
    goodAt = readAt;
    if (!runs) return;
    living = Math.max(1, reading.peers().size());
    lowest = reading.peers().stream().mapToInt(SagaStore.Peer::node).min().orElse(node) == node;
    long gap = Math.min(readAt - lastReadAt, GAP_MAX.toNanos());
    var seen = new HashMap<Integer, Seen>();
    for (var peer : reading.peers())
      if (peer.node() != node) seen.put(peer.node(), watch(peer, gap));
    others.clear();
    others.putAll(seen);
  }

  private Seen watch(SagaStore.Peer peer, long gap) {
    var before = others.get(peer.node());
    if (before == null || before.beat() != peer.beat()) return new Seen(peer.beat(), 0);
    var now = new Seen(peer.beat(), before.stoodStillNanos() + gap);
    if (now.stoodStillNanos() >= settings.beats().deadAfter().toNanos()
        && store.declareDead(peer.node(), peer.beat())) {
      log.warn(
          "node {} has shown no life for {} and counts as dead",
          peer.node(),
          settings.beats().deadAfter());
      buried += 1;
    }
    return now;
  }

  /// How long something took, by a clock that may have been set back meanwhile.
  static Duration span(Instant begun, Instant ended) {
    return ended.isBefore(begun) ? Duration.ZERO : Duration.between(begun, ended);
  }

  /// Whether this process may begin a call: others may take its sagas soon after it stops beating.
  boolean mayCall() {
    return !dead
        && monotonicNanos.getAsLong() - goodAt < settings.beats().callsStopAfter().toNanos();
  }

  /// Others have declared this process dead: it owns nothing any more.
  boolean isDead() {
    return dead;
  }

  /// Whether this is the living process with the lowest number, the one that relays.
  boolean isLowest() {
    return lowest && !dead;
  }

  int living() {
    return living;
  }

  /// How many others it has declared dead so far; for whoever lends it its beats.
  int buried() {
    return buried;
  }

  @Override
  public Instant instant() {
    return now();
  }

  /// The store's time, in milliseconds.
  Instant now() {
    return Instant.ofEpochMilli(time.at(monotonicNanos.getAsLong()).toEpochMilli());
  }

  /// Since when, by its own clock, no beat was good.
  Duration sinceBeat() {
    return Duration.ofNanos(monotonicNanos.getAsLong() - goodAt);
  }
}
