package dev.tuntas.engine;

import dev.tuntas.saga.Signal;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Where sagas are durable. Every method is one transaction and may be called from any thread. A
/// method that fails throws a [StoreException] that says what is known.
///
/// Only the owner writes a saga's row; everybody else inserts into its inbox. Owner and version
/// together are the fence: a write that does not match both changes nothing and leaves no history,
/// no notice and no applied inbox row.
public interface SagaStore extends AutoCloseable {

  /// A definition as the store knows it.
  record Shape(String name, int version, String hash) {}

  /// A living process, by its last beat.
  record Peer(int node, long beat) {}

  /// What a beat found: whether this node is still considered alive, the store's time, and all
  /// living nodes, this one included.
  record Reading(boolean alive, Instant storeTime, List<Peer> peers) {}

  /// What became of an inbox row that was put.
  enum Put {
    NEW,
    /// The same was said before.
    KNOWN,
    /// Another text was said before under the same source and external id; nothing was stored.
    CONFLICT
  }

  /// Unfinished sagas of a definition that was not registered.
  record Unknown(String name, int version, long sagas) {}

  /// Work of the caller that commits together with a saga. The connection must not be committed,
  /// rolled back or closed by it.
  @FunctionalInterface
  interface Work {
    void run(Connection connection) throws Exception;
  }

  // Definitions and lanes

  /// Gives every shape its number, the same for ever. Refuses, with `BAD_DATA` and a sentence, a
  /// shape whose hash differs from the one stored under its name and version; then nothing is
  /// registered.
  Map<Shape, Integer> register(Collection<Shape> shapes);

  /// Gives every lane its number, the same for ever; the empty name is lane 0.
  Map<String, Integer> lanes(Collection<String> names);

  /// What waits in the store and cannot be run by a program that knows only these kinds.
  List<Unknown> unknown(Set<Integer> kinds);

  // Life and death

  /// A new owner id, never used before.
  int join(String name);

  /// Counts this node's beat up, unless it was declared dead, and reads everybody's.
  Reading beat(int node);

  /// Declares a node dead if its beat is still the one that was seen.
  boolean declareDead(int node, long beatSeen);

  /// Ends this node's life; what it still owns may be taken over at once.
  void leave(int node);

  // The hot path

  /// Writes all entries that are allowed, in one transaction; a bit is set for each that was.
  BitSet commit(int node, List<Write> batch);

  /// How many commits it does side by side, and with gain.
  int writers();

  /// After an unknown commit: a bit is set for each entry that was written, by this node and with
  /// this very time and text.
  BitSet wrote(int node, List<Write> batch);

  /// Makes `RUNNING` and owned up to `limit` waiting sagas of a lane that are due: of the
  /// `candidates` longest overdue, those with the nearest deadline. Here and below, who was
  /// declared dead is given nothing.
  List<SagaRow> claimDue(
      int node, int lane, Set<Integer> kinds, Instant now, int candidates, int limit);

  /// Makes `RUNNING` and owned up to `limit` waiting sagas whose deadline has passed, whatever they
  /// wait for.
  List<SagaRow> claimLate(int node, Set<Integer> kinds, Instant now, int limit);

  /// Makes `RUNNING` and owned up to `limit` sagas that nobody owns and whose inbox has unapplied
  /// rows, whether they wait or are at rest.
  List<SagaRow> claimSignalled(int node, Set<Integer> kinds, int limit);

  /// Makes `RUNNING` and owned those of these sagas that wait in one of the lanes and are due.
  List<SagaRow> claim(
      int node, Collection<String> ids, Set<Integer> lanes, Set<Integer> kinds, Instant now);

  /// Takes up to `limit` sagas from dead nodes, counting the crash. The dead take nothing over, not
  /// even from themselves.
  List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit);

  /// The ids of sagas that this node owns and that moved before or after this span. Who moved them
  /// last may have had another time.
  List<String> ownedBy(int node, Instant from, Instant to, int limit);

  // Joining the caller's transaction

  /// Inserts inside the transaction of the caller's own connection, which the caller commits.
  /// Returns whether the id was new.
  boolean insert(Connection callers, int node, Write.Insert saga);

  /// Runs the caller's work and the insert in one transaction of the store's own. Returns whether
  /// the id was new; for a known one, the work is rolled back.
  boolean insertWith(int node, Write.Insert saga, Work work) throws Exception;

  // The inbox

  Put put(String sagaId, Signal signal, Instant at);

  /// Unapplied rows of sagas that this node owns, oldest first.
  List<InboxItem> pending(int node, int limit);

  /// What became of an inbox row, once it was applied.
  Optional<String> verdict(String source, String externalId);

  // Looking

  Optional<SagaRow> find(String id);

  List<HistoryLine> history(String id);

  /// Those of the ids whose sagas have ended, with how.
  Map<String, Status> ended(Collection<String> ids);

  /// By how much the time of the living is ahead of the store's clock, told when that clock said
  /// `at`.
  record Offset(Duration by, Instant at) {}

  /// Tells those who join later. Told again and again while time and clock differ.
  void tell(Offset offset);

  /// What was told last.
  Optional<Offset> offset();

  /// The latest time at which a saga moved that has not ended, or ended. Whoever begins on a clock
  /// that was set back meanwhile goes on from there.
  Optional<Instant> lastMove();

  /// Sagas that have waited for somebody to run them since before then.
  List<SagaRow> overdue(Instant since, int limit);

  // Retention

  /// Deletes up to `limit` sagas that ended before, with history and inbox. Returns how many.
  int purgeEnded(Instant before, int limit);

  /// Deletes up to `limit` inbox rows from before whose saga never came, or is gone.
  int purgeInbox(Instant before, int limit);

  @Override
  void close();
}
