package dev.tuntas.notify;

import dev.tuntas.engine.Trouble;
import dev.tuntas.notify.Channel.Audience;
import dev.tuntas.notify.Channel.Parcel;
import dev.tuntas.notify.Channel.Receipt;
import dev.tuntas.notify.Deliveries.Waiting;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings the deliveries of one channel to it: at least once, and twice only when the answer to an
/// attempt was lost. Any number of processes may do so. In a flood, alerts travel together.
public final class Courier {

  private static final Logger log = LoggerFactory.getLogger(Courier.class);
  private static final Duration REST_MAX = Duration.ofSeconds(10);
  private static final Duration RETRY_AFTER_MAX = Duration.ofHours(1);
  private static final Duration TIDY_EVERY = Duration.ofMinutes(1);
  private static final int FORGET_MAX = 1_000;
  private static final int ERROR_MAX = 500;

  private final Tables tables;
  private final Channel channel;
  private final CourierSettings settings;
  private final InstantSource clock;
  private final InstantSource told;
  private final RandomGenerator random;
  private final Deliveries deliveries;
  private final Trouble trouble;
  private Instant restsUntil = Instant.MIN;
  private Instant tidiesAt = Instant.MIN;

  /// @param told what time the receivers are told: they compare it with their own clocks
  public Courier(
      Tables tables,
      Channel channel,
      CourierSettings settings,
      InstantSource clock,
      InstantSource told,
      RandomGenerator random) {
    this.tables = tables;
    this.channel = channel;
    this.settings = settings;
    this.clock = clock;
    this.told = told;
    this.random = random;
    this.deliveries = new Deliveries(channel.name());
    this.trouble = new Trouble(log, "Delivering to " + channel.name());
  }

  String channel() {
    return channel.name();
  }

  /// Sends what is due, for one thread at a time. Returns how many parcels were tried.
  public int deliverDue() {
    var now = clock.instant();
    if (now.isBefore(restsUntil)) return 0;
    var loads =
        tables.read(
            "look for deliveries to " + channel.name(),
            session -> {
              var due = deliveries.due(session, now, settings.batch());
              return loads(due, due.isEmpty() ? 0 : room(session, due.size(), now));
            });
    if (loads.isEmpty()) tidy(now);
    int tried = 0;
    for (var load : loads) {
      tried++;
      if (!deliver(load)) break;
    }
    return tried;
  }

  /// What goes out together. One by one; but alerts that a minute has no room for share the last of
  /// its parcels.
  private static List<List<Waiting>> loads(List<Waiting> due, int room) {
    var loads = new ArrayList<List<Waiting>>();
    if (room <= 0) return loads;
    int alone = due.size() <= room ? due.size() : room - 1;
    for (var one : due.subList(0, alone)) loads.add(List.of(one));
    if (alone < due.size()) loads.add(due.subList(alone, due.size()));
    return loads;
  }

  /// How many parcels may go out now. Only alerts can come in floods.
  private int room(Session session, int due, Instant now) throws SQLException {
    return channel.audience() == Audience.SUPPORT
        ? settings.alertsPerMinute() - deliveries.sentLastMinute(session, now)
        : due;
  }

  private void tidy(Instant now) {
    if (now.isBefore(tidiesAt)) return;
    tidiesAt = now.plus(TIDY_EVERY);
    tables.write(
        "forget what was sent to " + channel.name(),
        session -> deliveries.forget(session, now.minus(settings.keep()), FORGET_MAX));
  }

  /// Whether the channel is well.
  private boolean deliver(List<Waiting> wanted) {
    var until = clock.instant().plus(settings.lease());
    var claimed =
        tables.write(
            "claim deliveries to " + channel.name(),
            session -> deliveries.claim(session, wanted, until));
    var load = new Load(claimed);
    if (!load.unreadable.isEmpty()) {
      bury(load.unreadable, "its stored text cannot be read");
    }
    if (load.messages.isEmpty()) return true;
    return settle(load, attempt(load));
  }

  private Receipt attempt(Load load) {
    // A delivery that never came back from an attempt may be what kills the process.
    if (load.attempts > settings.attemptsMax()) {
      return new Receipt.Refused("no attempt came back");
    }
    try {
      return channel.send(new Parcel(load.cause(), load.messages, told.instant()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Receipt.Later("interrupted", null);
    } catch (Exception lost) {
      return new Receipt.Later(lost.toString(), null);
    }
  }

  private boolean settle(Load load, Receipt receipt) {
    var now = clock.instant();
    switch (receipt) {
      case Receipt.Sent() -> sent(load, "", now);
      case Receipt.Nobody(var why) -> sent(load, why, now);
      case Receipt.Refused(var why) -> bury(load.nos, why);
      case Receipt.Later(var why, var after) when load.attempts >= settings.attemptsMax() -> {
        bury(load.nos, why);
        rest(now, after, REST_MAX);
        return false;
      }
      case Receipt.Later(var why, var after) -> {
        var wait = settings.waitAfter(load.attempts, random);
        if (after != null) wait = max(wait, min(after, RETRY_AFTER_MAX));
        var when = now.plus(wait);
        tables.write(
            "postpone deliveries to " + channel.name(),
            session -> deliveries.later(session, load.nos, when, cut(why)));
        trouble.failed(cut(why));
        rest(now, after, min(wait, REST_MAX));
        return false;
      }
    }
    return true;
  }

  /// A channel that is down, or asks for time, is not asked for the next delivery either.
  private void rest(Instant now, @Nullable Duration asked, Duration own) {
    restsUntil = now.plus(asked == null ? own : min(asked, RETRY_AFTER_MAX));
  }

  private void sent(Load load, String remark, Instant now) {
    tables.write(
        "note what was sent to " + channel.name(),
        session -> deliveries.sent(session, load.nos, load.cause(), remark, now));
    trouble.worked();
  }

  private void bury(List<Long> nos, String why) {
    var now = clock.instant();
    tables.write(
        "bury deliveries to " + channel.name(),
        session -> deliveries.bury(session, nos, cut(why), now));
    log.warn("{} deliveries to {} are dead letters: {}", nos.size(), channel.name(), cut(why));
  }

  private static String cut(String text) {
    return text.length() <= ERROR_MAX ? text : text.substring(0, ERROR_MAX);
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? b : a;
  }

  /// Deliveries that were claimed together, with those that nobody can read set apart.
  private static final class Load {

    final List<Long> nos = new ArrayList<>();
    final List<Long> unreadable = new ArrayList<>();
    final List<Message> messages = new ArrayList<>();
    private final List<String> causes = new ArrayList<>();
    int attempts;

    Load(List<Waiting> claimed) {
      for (var one : claimed) {
        try {
          messages.add(Postbox.message(one.kind(), one.body()));
        } catch (IllegalArgumentException unreadableText) {
          unreadable.add(one.no());
          continue;
        }
        nos.add(one.no());
        causes.add(one.cause());
        attempts = Math.max(attempts, one.attempts());
      }
    }

    String cause() {
      var first = causes.getFirst();
      return causes.size() == 1 ? first : first + "+" + (causes.size() - 1);
    }
  }
}
