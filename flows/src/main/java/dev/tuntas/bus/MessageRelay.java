package dev.tuntas.bus;

import dev.tuntas.bus.MessageBook.Line;
import dev.tuntas.engine.Trouble;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries messages from the book to the bus: at least once, in order per key. One process does so
/// at a time; if two ever do, messages come twice, and still none before its predecessor. What the
/// broker refuses holds back only the later messages of its own key; an event that it has no place
/// for waits until there is one, and holds back only others of its kind.
public final class MessageRelay {

  private static final Logger log = LoggerFactory.getLogger(MessageRelay.class);
  static final int BATCH = 500;
  static final int ATTEMPTS_MAX = 12;
  private static final int PURGE_BATCH = 1_000;
  private static final Duration TURN = Duration.ofSeconds(5);
  private static final int ERROR_MAX = 500;

  /// Somebody may make a missing place at any time.
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private static final RetryPolicy PAUSES =
      RetryPolicy.patient().intervals(Duration.ofSeconds(1), Duration.ofMinutes(1)).jitter(0.3);

  private final Tables tables;
  private final MessageBook book;
  private final Bus bus;
  private final InstantSource clock;
  private final Duration keep;
  private final Turn turn;
  private final Trouble trouble = new Trouble(log, "Sending messages to the broker");

  /// Kinds that the broker has no place for, and when they are tried again.
  private final Map<String, Instant> missing = new HashMap<>();

  private boolean away;

  /// @param holder a name that no other process has
  /// @param keep how long it is remembered what was published
  public MessageRelay(
      Tables tables, MessageBook book, Bus bus, InstantSource clock, String holder, Duration keep) {
    this.tables = tables;
    this.book = book;
    this.bus = bus;
    this.clock = clock;
    this.keep = keep;
    this.turn = new Turn("relay", holder, TURN);
  }

  /// Publishes one batch, if it is this process's turn. Returns how many messages were looked at.
  /// While the broker is away none is taken from the book, so that they may expire there.
  public int relay() throws BusAwayException {
    if (!tables.read("look into the book", MessageBook::hasPending)) return 0;
    if (away) bus.ping();
    away = false;
    var now = clock.instant();
    missing.values().removeIf(until -> !until.isAfter(now));
    var lines = tables.write("take messages from the book", session -> take(session, now));
    var unsent = new HashSet<Long>();
    for (var line : lines) if (line.isExpiring()) unsent.add(line.pos());
    try {
      publish(lines, unsent);
    } catch (BusAwayException e) {
      away = true;
      throw e;
    } finally {
      if (!unsent.isEmpty()) putBack(unsent, now);
    }
    return lines.size();
  }

  /// @param unsent those that may still expire; what may have gone out is removed from it
  private void publish(List<Line> lines, Set<Long> unsent) throws BusAwayException {
    var held = new HashSet<String>();
    for (var round : rounds(lines)) {
      var free = round.stream().filter(line -> !held.contains(line.message().key())).toList();
      var back = send(free, unsent);
      for (var kind : back.missing) missing.put(kind, clock.instant().plus(LOOK_AGAIN));
      settle(free, back);
      for (var line : free) {
        if (back.reasons.containsKey(line.message().id())) held.add(line.message().key());
      }
    }
  }

  private void putBack(Set<Long> unsent, Instant taken) {
    tables.write(
        "put messages back into the book",
        session -> {
          book.notSent(session, unsent, taken);
          return true;
        });
  }

  private List<Line> take(Session session, Instant now) throws SQLException {
    if (!turn.take(session, now)) return List.of();
    return book.take(session, now, missing.keySet(), BATCH);
  }

  /// What is sent together. A command may come back, and then nothing of its key may be ahead of
  /// it: what follows one waits for the next round.
  private static List<List<Line>> rounds(List<Line> lines) {
    var rounds = new ArrayList<List<Line>>();
    var next = new HashMap<String, Integer>();
    for (var line : lines) {
      var message = line.message();
      int round = next.getOrDefault(message.key(), 0);
      while (rounds.size() <= round) rounds.add(new ArrayList<>());
      rounds.get(round).add(line);
      if (message.isCommand()) next.put(message.key(), round + 1);
    }
    return rounds;
  }

  /// What certainly did not go out: see [UnsentException].
  private record Back(Map<String, String> reasons, Set<String> missing) {

    static final Back NOTHING = new Back(Map.of(), Set.of());

    boolean has(Message message) {
      return reasons.containsKey(message.id()) || isPlaceless(message);
    }

    boolean isPlaceless(Message message) {
      return !message.isCommand() && missing.contains(message.kind());
    }
  }

  private Back send(List<Line> lines, Set<Long> unsent) throws BusAwayException {
    if (lines.isEmpty()) return Back.NOTHING;
    var back = Back.NOTHING;
    boolean mayBeOut = true;
    try {
      bus.send(lines.stream().map(Line::message).toList());
    } catch (UnsentException some) {
      back = new Back(some.reasons(), some.missing());
    } catch (BusAwayException e) {
      mayBeOut = !e.isNothingSent();
      throw e;
    } finally {
      for (var line : lines) {
        if (mayBeOut && !back.has(line.message())) unsent.remove(line.pos());
      }
    }
    return back;
  }

  private void settle(List<Line> lines, Back back) {
    tables.write(
        "note what was published",
        session -> {
          var now = clock.instant();
          var published = new ArrayList<Long>();
          for (var line : lines) {
            var why = back.reasons.get(line.message().id());
            if (why != null) refused(session, line, why, now);
            else if (!back.isPlaceless(line.message())) published.add(line.pos());
          }
          return book.published(session, published, now);
        });
    back.reasons.forEach((id, why) -> trouble.failed("message " + id + ": " + why));
    if (back.reasons.isEmpty()) trouble.worked();
  }

  private void refused(Session session, Line line, String why, Instant now) throws SQLException {
    int attempts = line.attempts() + 1;
    var error = why.length() <= ERROR_MAX ? why : why.substring(0, ERROR_MAX);
    if (attempts >= ATTEMPTS_MAX) book.bury(session, line.pos(), error, now);
    else book.postpone(session, line.pos(), error, now.plus(pause(line, attempts)));
  }

  private static Duration pause(Line line, int attempts) {
    return PAUSES.after(attempts, line.message().id().hashCode());
  }

  /// Forgets one batch of what was published long ago. Returns whether there may be more.
  public boolean purge() {
    var before = clock.instant().minus(keep);
    return tables.write(
            "forget what was published", session -> book.purge(session, before, PURGE_BATCH))
        == PURGE_BATCH;
  }

  /// Lets another process go on at once.
  public void close() {
    tables.write(
        "end the turn",
        session -> {
          turn.give(session);
          return true;
        });
  }
}
