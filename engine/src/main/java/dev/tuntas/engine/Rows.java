package dev.tuntas.engine;

import dev.tuntas.engine.Next.Await;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.Next.Nap;
import dev.tuntas.engine.Next.Rest;
import dev.tuntas.engine.Next.Sleep;
import dev.tuntas.saga.Announcer;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Sagas in memory as rows of the store, and back.
final class Rows {

  private static final List<HistoryEntry> LOOKED_AT = List.of(new HistoryEntry.Remark("looked at"));

  private static final int DATA_MAX = 32 * 1024;
  private static final int CHECKED_ALL = 1_000;
  private static final int CHECKED_ONE_IN = 16;

  private static final Duration NO_DEADLINE = Duration.ofDays(365);

  private final DataCodec codec;
  private final Lanes lanes;
  private final Map<Class<?>, AtomicLong> written = new ConcurrentHashMap<>();

  Rows(DataCodec codec, Lanes lanes) {
    this.codec = codec;
    this.lanes = lanes;
  }

  /// What a step gave cannot be kept.
  static final class UnstorableData extends Exception {

    private static final long serialVersionUID = 1L;

    UnstorableData(String detail) {
      super(detail);
    }

    Failure why() {
      return new Failure.Broken("UNSTORABLE", String.valueOf(getMessage()));
    }
  }

  <D> Running<D> read(SagaDefinition<D> saga, SagaRow row) {
    return read(saga, row, codec.decode(row.data(), saga.dataType()));
  }

  /// One whose data cannot be read.
  @SuppressWarnings("NullAway") // nobody looks at its data
  <D> Running<D> readWithoutData(SagaDefinition<D> saga, SagaRow row, Failure why) {
    var running = read(saga, row, (D) null);
    running.unreadable = why;
    return running;
  }

  private static <D> Running<D> read(SagaDefinition<D> saga, SagaRow row, D data) {
    var line = ProgressCodec.decode(row.progress());
    var state = new State<>(line.progress(), line.trail(), data);
    var running = new Running<>(saga, row.id(), row.kind(), row.version(), state);
    running.dataText = row.data();
    return running;
  }

  <D> Write.Insert insert(Running<D> saga, Plan<D> plan, Instant now) {
    var state = plan.decision().state();
    var data = codec.encode(state.data(), saga.saga.dataType());
    if (data.length() > DATA_MAX) {
      throw new IllegalArgumentException(
          "the data of saga " + saga.id + " exceeds " + DATA_MAX + " characters");
    }
    check(state.data(), saga.saga.dataType(), data);
    saga.dataText = data;
    var sleep = plan.next() instanceof Sleep asleep ? asleep : null;
    return new Write.Insert(
        saga.id,
        saga.kind,
        status(plan.next()),
        lane(sleep),
        sleep == null ? null : sleep.until(),
        sleep == null ? never(now) : deadline(sleep, now),
        ProgressCodec.encode(state.progress(), state.trail()),
        data,
        HistoryCodec.encode(plan.decision().history()),
        plan.decision().notices(),
        now);
  }

  <D> Write.Move move(Running<D> saga, Plan<D> plan, Instant now) throws UnstorableData {
    var decision = plan.decision();
    var state = decision.state();
    var sleep = plan.next() instanceof Sleep asleep ? asleep : null;
    return new Write.Move(
        saga.id,
        saga.version,
        status(plan.next()),
        lane(sleep),
        sleep == null ? null : sleep.until(),
        sleep == null ? null : deadline(sleep, now),
        ProgressCodec.encode(state.progress(), state.trail()),
        changedData(saga, state.data()),
        HistoryCodec.encode(decision.history().isEmpty() ? LOOKED_AT : decision.history()),
        decision.notices(),
        applied(plan.pos(), decision.verdict()),
        now,
        isSameStep(saga.state.progress(), state.progress()));
  }

  /// Whoever crashes again and again at one step gets no further; getting further ends the count.
  private static boolean isSameStep(Progress before, Progress after) {
    var step = Transition.stepOf(after);
    return step != null && step.equals(Transition.stepOf(before));
  }

  /// The smallest write that puts a saga before a person: only text that the engine made itself.
  <D> Write.Move held(Running<D> saga, State<D> state, Failure why, long pos, Instant now) {
    var status =
        switch (state.progress()) {
          case Progress.Done _ -> Status.DONE;
          case Progress.Undone _ -> Status.UNDONE;
          case Progress.Ready _,
              Progress.Sent _,
              Progress.Asking _,
              Progress.Undoing _,
              Progress.Held _ ->
              Status.HELD;
        };
    return new Write.Move(
        saga.id,
        saga.version,
        status,
        0,
        null,
        null,
        ProgressCodec.encode(state.progress(), state.trail()),
        null,
        HistoryCodec.encode(List.of(new HistoryEntry.Held(why.code(), why.detail()))),
        heldNotice(saga.id, saga.saga.name(), why, now),
        applied(pos, "refused: it could not be stored"),
        now);
  }

  /// The engine's own words: those of the definition may be what could not be stored.
  private static List<Notice> heldNotice(String id, String definition, Failure why, Instant now) {
    var moment =
        new Moment<>(
            Moment.Kind.HELD,
            id,
            definition,
            null,
            why,
            false,
            id,
            new Moment.Around(now, 0, Map.of(), null, null, Set.of()));
    return Announcer.<String>endsAndTrouble().at(moment);
  }

  /// One whose data cannot be read goes before a person, who hears of it once.
  <D> Write.Move unread(Running<D> saga, Decision<D> decision, Failure why, long pos, Instant now) {
    var state = decision.state();
    return new Write.Move(
        saga.id,
        saga.version,
        Status.HELD,
        0,
        null,
        null,
        ProgressCodec.encode(state.progress(), state.trail()),
        null,
        HistoryCodec.encode(decision.history()),
        saga.isKnownUnreadable() ? List.of() : heldNotice(saga.id, saga.saga.name(), why, now),
        applied(pos, decision.verdict()),
        now);
  }

  /// A row whose very progress cannot be read stays as it is, before a person.
  Write.Move unreadable(SagaDefinition<?> saga, SagaRow row, Failure why, Instant now) {
    return new Write.Move(
        row.id(),
        row.version(),
        Status.HELD,
        0,
        null,
        null,
        row.progress(),
        null,
        HistoryCodec.encode(List.of(new HistoryEntry.Held(why.code(), why.detail()))),
        heldNotice(row.id(), saga.name(), why, now),
        List.of(),
        now);
  }

  private static List<Write.Applied> applied(long pos, String verdict) {
    return pos < 0 ? List.of() : List.of(new Write.Applied(pos, Text.clean(verdict)));
  }

  private int lane(@Nullable Sleep sleep) {
    if (sleep == null) return 0;
    return lanes.named(sleep.queue().lane()).number(sleep.queue().rank());
  }

  private static Status status(Next next) {
    return switch (next) {
      case Make _, Await _, Nap _ -> Status.RUNNING;
      case Sleep _ -> Status.WAITING;
      case Rest rest -> rest.status();
    };
  }

  /// The data as it was stored, if whoever was given it has changed it since. Null if not.
  <D> @Nullable D changedBack(Running<D> saga) {
    var text = saga.dataText;
    var type = saga.saga.dataType();
    if (text == null) return null;
    try {
      var now = codec.encode(saga.state.data(), type);
      if (now.equals(text)) return null;
      var stored = codec.decode(text, type);
      // A set that was read may have another order than its text.
      return now.equals(codec.encode(stored, type)) ? null : stored;
    } catch (RuntimeException unreadable) {
      return null; // what is stored next is checked
    }
  }

  private <D> @Nullable String changedData(Running<D> saga, D data) throws UnstorableData {
    String text;
    try {
      text = codec.encode(data, saga.saga.dataType());
    } catch (RuntimeException unwritable) {
      throw new UnstorableData("the data cannot be written as text: " + unwritable);
    }
    if (text.equals(saga.dataText)) return null;
    if (text.length() > DATA_MAX) {
      throw new UnstorableData("the data exceeds " + DATA_MAX + " characters");
    }
    try {
      check(data, saga.saga.dataType(), text);
    } catch (RuntimeException unreadable) {
      throw new UnstorableData("the data could not be read again: " + unreadable.getMessage());
    }
    saga.dataText = text;
    return text;
  }

  /// What cannot be read back is mostly the fault of a type, which its first values show. To check
  /// each costs three times what it takes to write it.
  private <D> void check(D data, Class<D> type, String text) {
    long count = written.computeIfAbsent(type, _ -> new AtomicLong()).getAndIncrement();
    if (count < CHECKED_ALL || count % CHECKED_ONE_IN == 0) codec.check(data, type, text);
  }

  private static Instant deadline(Sleep sleep, Instant now) {
    return Turn.earlier(sleep.queue().end(), never(now));
  }

  private static Instant never(Instant now) {
    return now.plus(NO_DEADLINE);
  }
}
