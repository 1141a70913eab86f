package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.ProgressCodec;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What must be true of the engine whatever the saga: checked at every write, call and publication,
/// against what the store really holds.
final class Checker<D> {

  private static final int TAKE_OVERS_MAX = 25;

  private static final class Watched {
    long version;
    boolean turnedBack;
    boolean done;
    int undoing = Integer.MAX_VALUE;
    boolean cancelled;
    String data = "";
    Instant acceptedAt = Instant.MIN;
    @Nullable Progress progress;
    @Nullable SagaRow end;
    int takeOvers;
    final Set<String> sent = new HashSet<>();
    final Set<String> happened = new HashSet<>();
    final Set<String> undoCalled = new HashSet<>();
    final Set<Long> applied = new HashSet<>();
    final Set<String> attempts = new HashSet<>();
    final List<Signal> cancels = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    int published;
  }

  private final SagaDefinition<D> saga;
  private final MemoryStore truth;
  private final Trace trace;
  private final Map<String, Watched> sagas = new HashMap<>();
  private final Map<String, String> keys = new HashMap<>();
  private @Nullable Violation violation;
  private final Map<String, String> effects = new HashMap<>();
  private final Set<String> touched = new HashSet<>();
  private final Owners owners;
  private final LaneRates lanes;

  Checker(World<D> world, MemoryStore truth, Trace trace, VirtualTime time) {
    this.saga = world.saga();
    this.lanes = new LaneRates(world.lanes(), time);
    this.truth = truth;
    this.trace = trace;
    this.owners = new Owners(truth::isDead);
  }

  private Watched watched(String id) {
    return sagas.computeIfAbsent(id, _ -> new Watched());
  }

  /// The sagas that events have touched since the last time.
  List<String> takeTouched() {
    if (violation != null) throw violation;
    if (touched.isEmpty()) return List.of();
    var ids = touched.stream().sorted().toList();
    touched.clear();
    return ids;
  }

  void touch(String id) {
    touched.add(id);
  }

  // Ownership

  void claimed(int node, List<SagaRow> rows) {
    for (var row : rows) trace.note(row.id(), "node " + node + " claimed it");
    owners.claimed(node, rows);
  }

  void tookOver(int node, List<SagaRow> rows) {
    for (var row : rows) {
      trace.note(row.id(), "node " + node + " took it over");
      var watched = watched(row.id());
      watched.attempts.clear(); // what its last owner did not write, it did not spend
      if (++watched.takeOvers > TAKE_OVERS_MAX) {
        throw new Violation(row.id(), "it kills one process after the other");
      }
    }
    owners.tookOver(node, rows);
  }

  // Writes

  void committed(int node, List<Write> batch, BitSet written) {
    for (int i = 0; i < batch.size(); i++) {
      if (written.get(i)) written(node, batch.get(i));
      else
        trace.note(
            batch.get(i).id(),
            "node " + node + " was refused version " + batch.get(i).makesVersion());
    }
  }

  private void written(int node, Write write) {
    var id = write.id();
    touch(id);
    var watched = watched(id);
    owners.wrote(node, write);
    if (write.makesVersion() != watched.version + 1) {
      throw new Violation(
          id, "version " + write.makesVersion() + " was written over version " + watched.version);
    }
    watched.version += 1;
    switch (write) {
      case Write.Insert insert -> {
        watched.acceptedAt = insert.at();
        watched.data = insert.data();
        note(node, id, insert.what());
        stored(id, watched, insert.status(), insert.progress());
        moved(id, watched, insert.progress());
        expect(id, watched, insert.notices());
      }
      case Write.Move move -> {
        var data = move.data();
        if (data != null) watched.data = data;
        note(node, id, move.what());
        stored(id, watched, move.status(), move.progress());
        applied(id, watched, move.applied());
        moved(id, watched, move.progress());
        expect(id, watched, move.notices());
      }
    }
  }

  /// The row is what was written, no more and no less.
  private void stored(String id, Watched watched, Status status, String progress) {
    var row = truth.row(id);
    if (row == null
        || row.version() != watched.version
        || row.status() != status
        || !row.progress().equals(progress)
        || !row.data().equals(watched.data)) {
      throw new Violation(id, "version " + watched.version + " was written, the store has " + row);
    }
    watched.end = status.isEnd() ? row : null;
  }

  private void applied(String id, Watched watched, List<Write.Applied> applied) {
    if (!applied.isEmpty()) watched.attempts.clear(); // a person may have granted new ones
    for (var one : applied) {
      if (!watched.applied.add(one.pos())) {
        throw new Violation(id, "the same was heard twice: inbox row " + one.pos());
      }
    }
  }

  private void note(int node, String id, String what) {
    trace.note(id, "node " + node + " wrote: " + what);
  }

  private static void expect(String id, Watched watched, List<Notice> notices) {
    for (int seq = 0; seq < notices.size(); seq++) {
      watched.notices.add(id + "/" + watched.version + "/" + seq);
    }
  }

  /// A saga's history is a path: forward until it turns back, then strictly backward.
  private void moved(String id, Watched watched, String line) {
    var progress = ProgressCodec.decode(line).progress();
    if (progress instanceof Held(var before, _)) {
      watched.attempts.clear();
      watched.takeOvers = 0;
      progress = before;
    }
    boolean isNew = !isSameCall(progress, watched.progress);
    watched.progress = progress;
    switch (progress) {
      case Ready _, Asking _ -> forward(id, watched);
      case Sent sent -> {
        forward(id, watched);
        if (isNew) sending(id, watched, sent);
      }
      case Done _ -> {
        forward(id, watched);
        watched.done = true;
      }
      case Undoing undoing -> undoing(id, watched, undoing);
      case Undone _ -> backward(id, watched);
      case Held _ -> throw new Violation(id, "it is held twice over");
    }
  }

  private static boolean isSameCall(Progress now, @Nullable Progress before) {
    return now instanceof Sent(var step, int attempt, _)
        && before instanceof Sent(var same, int number, _)
        && step.equals(same)
        && attempt == number;
  }

  private void sending(String id, Watched watched, Sent sent) {
    watched.sent.add(sent.step());
    noteCancels(watched);
    if (saga.isPastPivot(saga.indexOf(sent.step()))) return;
    if (watched.cancelled) {
      throw new Violation(id, "it was cancelled, and then " + sent.step() + " was sent");
    }
    var deadline = saga.deadline();
    if (deadline != null && !sent.at().isBefore(watched.acceptedAt.plus(deadline))) {
      throw new Violation(id, "it was too late, and then " + sent.step() + " was sent");
    }
  }

  private static void forward(String id, Watched watched) {
    if (watched.turnedBack) throw new Violation(id, "it went forward after it had turned back");
  }

  private static void backward(String id, Watched watched) {
    if (watched.done) throw new Violation(id, "it turned back after it was done");
    watched.turnedBack = true;
  }

  private void undoing(String id, Watched watched, Undoing undoing) {
    backward(id, watched);
    int index = saga.indexOf(undoing.step());
    if (undoing.late() != null) return;
    if (index > watched.undoing) throw new Violation(id, "steps were undone out of order");
    watched.undoing = index;
    boolean calls = !saga.steps().get(index).waitsOnly();
    if (calls && !watched.sent.contains(undoing.step())) {
      throw new Violation(id, "step " + undoing.step() + " is undone and was never sent");
    }
  }

  /// Somebody asks for it to be cancelled; that counts once its owner says so.
  void cancelling(String id, Signal ruling) {
    watched(id).cancels.add(ruling);
  }

  private void noteCancels(Watched watched) {
    watched.cancels.removeIf(
        ruling -> {
          var verdict = truth.verdict(ruling.source(), ruling.externalId()).orElse(null);
          if (verdict != null && !verdict.startsWith("refused")) watched.cancelled = true;
          return verdict != null;
        });
  }

  // Calls

  /// A call goes out: its intent is durable, its caller owns the saga, its key is the one for ever.
  /// Whoever calls may survive what is wrong with it: it is raised again after the event.
  void calling(int node, Make make) {
    try {
      checkCall(node, make);
    } catch (Violation found) {
      if (violation == null) violation = found;
      throw found;
    }
  }

  private void checkCall(int node, Make make) {
    var call = make.call();
    var id = call.sagaId();
    touch(id);
    trace.note(
        id,
        "node " + node + " calls " + make.direction() + " " + call.step() + ", key " + call.key());
    var row = truth.row(id);
    if (row == null) throw new Violation(id, "a call went out before the saga was durable");
    var owner = row.owner();
    if (owner == null || owner != node) {
      throw new Violation(id, "node " + node + " calls " + call.step() + " and does not own it");
    }
    var progress = ProgressCodec.decode(row.progress()).progress();
    if (!isIntent(make, progress)) {
      throw new Violation(
          id, make.direction() + " " + call.step() + " goes out while the store says " + progress);
    }
    boolean late = progress instanceof Undoing undoing && undoing.late() != null;
    checkKey(id, make, late);
    lanes.calling(id, saga.steps().get(saga.indexOf(call.step())).lane());
    checkAttempt(node, make);
    if (make.direction() == Direction.UNDO) watched(id).undoCalled.add(call.step());
  }

  /// A call that had no success spends an attempt.
  private void checkAttempt(int node, Make make) {
    var call = make.call();
    var watched = watched(call.sagaId());
    int doubted = watched.progress instanceof Asking asking ? asking.attempt() : 0;
    var attempt =
        String.join(
            " ",
            Integer.toString(node),
            make.direction().name(),
            call.step(),
            call.key(),
            Integer.toString(doubted),
            Integer.toString(call.attempt()));
    if (!watched.attempts.add(attempt)) {
      throw new Violation(call.sagaId(), "attempt " + call.attempt() + " was made twice: " + make);
    }
  }

  /// A request arrives that may bring an effect about, so long after it was sent.
  void arriving(Make make, Duration age) {
    var call = make.call();
    var id = call.sagaId();
    touch(id);
    var watched = watched(id);
    boolean mayAct =
        make.direction() == Direction.DO
            || make.direction() == Direction.ASK
                && saga.steps().get(saga.indexOf(call.step())).asksByRepeating();
    boolean inTime = age.compareTo(call.timeout()) <= 0;
    if (mayAct
        && inTime
        && watched.undoCalled.contains(call.step())
        && !watched.happened.contains(call.step())) {
      throw new Violation(id, call.step() + " was undone while its call was under way");
    }
  }

  /// What a request brought about.
  void arrived(Make make, boolean happened) {
    if (happened) watched(make.call().sagaId()).happened.add(make.call().step());
  }

  private static boolean isIntent(Make make, Progress progress) {
    var step = make.call().step();
    return switch (make.direction()) {
      case DO -> progress instanceof Sent sent && sent.step().equals(step);
      case ASK -> progress instanceof Asking asking && asking.step().equals(step);
      case UNDO -> progress instanceof Undoing undoing && undoing.step().equals(step);
    };
  }

  /// A key is one effect's alone, within the service that the lane stands for.
  private void checkKey(String id, Make make, boolean late) {
    var undo = make.direction() == Direction.UNDO;
    var effect = id + " " + make.call().step() + (undo ? " undo" : " do");
    var key = make.call().key();
    var effectBefore =
        keys.putIfAbsent(make.queue().lane() + " " + key + (undo ? " undo" : " do"), effect);
    if (effectBefore != null && !effectBefore.equals(effect)) {
      throw new Violation(id, "key " + key + " stands for " + effectBefore + " and for " + effect);
    }
    if (late) return; // it has a key for its cause
    var keyBefore = effects.putIfAbsent(effect, key);
    if (keyBefore != null && !keyBefore.equals(key)) {
      throw new Violation(id, effect + " had the key " + keyBefore + " and now has " + key);
    }
  }

  // Notices

  void published(Outbox.Entry notice) {
    var id = notice.sagaId();
    touch(id);
    var watched = watched(id);
    int at = watched.notices.indexOf(notice.eventId());
    trace.note(id, "published " + notice.eventId() + " " + notice.type());
    if (at < 0)
      throw new Violation(id, "notice " + notice.eventId() + " was published, not written");
    if (at > watched.published) {
      throw new Violation(id, "notice " + notice.eventId() + " overtook an earlier one");
    }
    if (at == watched.published) watched.published += 1;
  }

  // Retention

  /// How it ended, or null while it has not.
  @Nullable SagaRow endOf(String id) {
    return watched(id).end;
  }

  /// What is gone had ended long ago.
  void purged(Instant before) {
    for (var saga : sagas.entrySet()) {
      var end = saga.getValue().end;
      boolean known = saga.getValue().version > 0;
      if (known && truth.row(saga.getKey()) == null) {
        if (end == null || !end.movedAt().isBefore(before)) {
          throw new Violation(saga.getKey(), "it was deleted and had not ended long ago");
        }
      }
    }
  }

  /// When everything has come to rest.
  void atRest(String id) {
    var watched = watched(id);
    if (watched.published < watched.notices.size()) {
      throw new Violation(id, "notice " + watched.notices.get(watched.published) + " was lost");
    }
    var row = truth.row(id);
    if (row == null && watched.end != null) return; // purged
    if (row == null) throw new Violation(id, "it is gone");
    if (row.version() != watched.version) {
      throw new Violation(
          id, "the store has version " + row.version() + ", not " + watched.version);
    }
    if (truth.history(id).size() != watched.version) {
      throw new Violation(id, "its history does not have one line per version");
    }
  }
}
