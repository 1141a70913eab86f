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
/// broker refuses holds back only the later messages of its own key.
public final class MessageRelay {

  private static final Logger log = LoggerFactory.getLogger(MessageRelay.class);
  static final int BATCH = 500;
  static final int ATTEMPTS_MAX = 12;
  private static final int PURGE_BATCH = 1_000;
  private static final Duration TURN = Duration.ofSeconds(5);
  private static final int ERROR_MAX = 500;
  private static final RetryPolicy PAUSES =
      RetryPolicy.patient().intervals(Duration.ofSeconds(1), Duration.ofMinutes(1)).jitter(0.3);

  private final Tables tables;
  private final MessageBook book;
  private final Bus bus;
  private final InstantSource clock;
  private final Duration keep;
  private final Turn turn;
  private final Trouble trouble = new Trouble(log, "Sending messages to the broker");
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
      var refused = send(free, unsent);
      settle(free, refused);
      for (var line : free) {
        if (refused.containsKey(line.message().id())) held.add(line.message().key());
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
    return turn.take(session, now) ? book.take(session, now, BATCH) : List.of();
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

  /// Returns why some of them certainly did not go out, by their ids.
  private Map<String, String> send(List<Line> lines, Set<Long> unsent) throws BusAwayException {
    if (lines.isEmpty()) return Map.of();
    Map<String, String> refused = Map.of();
    boolean mayBeOut = true;
    try {
      bus.send(lines.stream().map(Line::message).toList());
    } catch (UnsentException some) {
      refused = some.reasons();
    } catch (BusAwayException e) {
      mayBeOut = !e.isNothingSent();
      throw e;
    } finally {
      for (var line : lines) {
        if (mayBeOut && !refused.containsKey(line.message().id())) unsent.remove(line.pos());
      }
    }
    return refused;
  }

  private void settle(List<Line> lines, Map<String, String> unsent) {
    tables.write(
        "note what was published",
        session -> {
          var now = clock.instant();
          var published = new ArrayList<Long>();
          for (var line : lines) {
            var why = unsent.get(line.message().id());
            if (why == null) published.add(line.pos());
            else refused(session, line, why, now);
          }
          return book.published(session, published, now);
        });
    unsent.forEach((id, why) -> trouble.failed("message " + id + ": " + why));
    if (unsent.isEmpty()) trouble.worked();
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
