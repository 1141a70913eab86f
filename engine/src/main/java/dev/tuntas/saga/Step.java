package dev.tuntas.saga;

import dev.tuntas.saga.GiveUp.How;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One step of a saga, as a value: every method returns a changed copy.
///
/// An action must honour its key: called twice with the same one, the effect happens once. Where
/// the other side cannot do that, give the step a probe ([#ifUnclearAsk]) or call it
/// [#unrepeatable].
public final class Step<D> {

  private static final Duration DAY = Duration.ofHours(24);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration UNDO_TIMEOUT = Duration.ofSeconds(30);
  private static final int OPTIONAL_ATTEMPTS = 3;

  private final String name;
  private @Nullable Action<D> action;
  private @Nullable Action<D> undo;
  private @Nullable Action<D> probe;
  private @Nullable String signal;
  private @Nullable SignalHandler<D> onSignal;
  private UnaryOperator<D> ruledHappened = UnaryOperator.identity();
  private Function<D, AskPolicy> ask = _ -> AskPolicy.patient();
  private GiveUp giveUp;
  private RetryPolicy retry = RetryPolicy.patient();
  private RetryPolicy undoRetry = RetryPolicy.compensation();
  private Duration timeout = CALL_TIMEOUT;
  private Duration undoTimeout = UNDO_TIMEOUT;
  private @Nullable Duration deadline;
  private @Nullable Function<D, Instant> until;
  private boolean pivot;
  private boolean optional;
  private boolean harmless;
  private boolean repeatable = true;
  private String lane = "";
  private String key;
  private String undoKey;

  private Step(String name, @Nullable Action<D> action) {
    this.name = name;
    this.action = action;
    this.giveUp = action == null ? GiveUp.undo(DAY) : GiveUp.hold(DAY);
    this.key = "{id}/" + name + "/do";
    this.undoKey = "{id}/" + name + "/undo";
  }

  private Step(Step<D> from) {
    name = from.name;
    action = from.action;
    undo = from.undo;
    probe = from.probe;
    signal = from.signal;
    onSignal = from.onSignal;
    ask = from.ask;
    giveUp = from.giveUp;
    retry = from.retry;
    undoRetry = from.undoRetry;
    timeout = from.timeout;
    undoTimeout = from.undoTimeout;
    deadline = from.deadline;
    until = from.until;
    pivot = from.pivot;
    optional = from.optional;
    harmless = from.harmless;
    repeatable = from.repeatable;
    lane = from.lane;
    key = from.key;
    undoKey = from.undoKey;
  }

  /// A step that calls the outside.
  public static <D> Step<D> step(String name, Action<D> action) {
    return new Step<>(name, Objects.requireNonNull(action));
  }

  /// A step that only waits: for a signal, or for a poll to find what it waits for.
  public static <D> Step<D> waitFor(String name) {
    return new Step<>(name, null);
  }

  /// The action that takes the effect back. It must also hold when the effect never happened or
  /// comes later: it leaves a tombstone that the original meets.
  public Step<D> undo(Action<D> action) {
    var copy = new Step<>(this);
    copy.undo = action;
    return copy;
  }

  /// After doubt, asks `probe` whether the effect happened, by the default policy.
  public Step<D> ifUnclearAsk(Action<D> probe) {
    return ifUnclearAsk(probe, ask);
  }

  /// After doubt, asks `probe` whether the effect happened. Without a probe, the action itself is
  /// repeated under its key: for a partner that honours keys that is the question.
  public Step<D> ifUnclearAsk(Action<D> probe, AskPolicy policy) {
    return ifUnclearAsk(probe, _ -> policy);
  }

  /// After doubt, asks `probe` whether the effect happened, by a policy that the data tells.
  public Step<D> ifUnclearAsk(Action<D> probe, Function<D, AskPolicy> policy) {
    var copy = new Step<>(this);
    copy.probe = probe;
    copy.ask = policy;
    return copy;
  }

  /// After doubt, repeats the action under its key by this policy.
  public Step<D> ifUnclearRepeat(AskPolicy policy) {
    var copy = new Step<>(this);
    copy.probe = null;
    copy.ask = _ -> policy;
    return copy;
  }

  /// The action must never be sent again while in doubt: only a probe, a signal or a person can
  /// tell.
  public Step<D> unrepeatable() {
    var copy = new Step<>(this);
    copy.repeatable = false;
    return copy;
  }

  /// A signal of this name answers the step.
  public Step<D> onSignal(String name, SignalHandler<D> handler) {
    var copy = new Step<>(this);
    copy.signal = name;
    copy.onSignal = handler;
    return copy;
  }

  /// What the data becomes when a person rules that the step happened. Nobody has heard the answer
  /// that would have changed it.
  public Step<D> ifRuledHappened(UnaryOperator<D> change) {
    var copy = new Step<>(this);
    copy.ruledHappened = change;
    return copy;
  }

  /// What to do when doubt outlasts all asking. Default after 24 hours: a step that calls is held
  /// for a person, a step that only waits is undone.
  public Step<D> ifStillUnclear(GiveUp policy) {
    var copy = new Step<>(this);
    copy.giveUp = policy;
    return copy;
  }

  /// How often to repeat an attempt that certainly did not take effect.
  public Step<D> retry(RetryPolicy policy) {
    var copy = new Step<>(this);
    copy.retry = policy;
    return copy;
  }

  public Step<D> retryUndo(RetryPolicy policy) {
    var copy = new Step<>(this);
    copy.undoRetry = policy;
    return copy;
  }

  /// How long one attempt may take before it counts as doubt.
  public Step<D> timeout(Duration perAttempt) {
    var copy = new Step<>(this);
    copy.timeout = perAttempt;
    return copy;
  }

  public Step<D> undoTimeout(Duration perAttempt) {
    var copy = new Step<>(this);
    copy.undoTimeout = perAttempt;
    return copy;
  }

  /// The step must be done this long after it was entered.
  public Step<D> deadline(Duration sinceEntered) {
    var copy = new Step<>(this);
    copy.deadline = sinceEntered;
    return copy;
  }

  /// The step must be done by a time that the data tells, whenever it was entered.
  public Step<D> until(Function<D, Instant> time) {
    var copy = new Step<>(this);
    copy.until = time;
    return copy;
  }

  /// The point of no return: once it happened, the saga only goes forward.
  public Step<D> pivot() {
    var copy = new Step<>(this);
    copy.pivot = true;
    return copy;
  }

  /// Nice to have: its failure is recorded and does not fail the saga. It gets 3 attempts, unless
  /// [#retry] then says otherwise.
  public Step<D> optional() {
    var copy = new Step<>(this);
    copy.optional = true;
    copy.retry = retry.attempts(Math.min(retry.attemptsMax(), OPTIONAL_ATTEMPTS));
    return copy;
  }

  /// Has no effect that would need undoing.
  public Step<D> harmless() {
    var copy = new Step<>(this);
    copy.harmless = true;
    return copy;
  }

  /// The partner it needs: it waits in that partner's lane, by its rate, concurrency and breaker.
  public Step<D> lane(String partner) {
    var copy = new Step<>(this);
    copy.lane = partner;
    return copy;
  }

  /// The effect's key; `{id}` stands for the saga's id.
  public Step<D> key(String template) {
    var copy = new Step<>(this);
    copy.key = template;
    return copy;
  }

  /// The undo's key; `{id}` stands for the saga's id.
  public Step<D> undoKey(String template) {
    var copy = new Step<>(this);
    copy.undoKey = template;
    return copy;
  }

  /// The same step with other calls, in the place of those it has: for simulations.
  public Step<D> rewired(
      UnaryOperator<Action<D>> toAction,
      UnaryOperator<Action<D>> toUndo,
      UnaryOperator<Action<D>> toProbe) {
    var copy = new Step<>(this);
    copy.action = action == null ? null : toAction.apply(action);
    copy.undo = undo == null ? null : toUndo.apply(undo);
    copy.probe = probe == null ? null : toProbe.apply(probe);
    return copy;
  }

  public String name() {
    return name;
  }

  public @Nullable Action<D> action() {
    return action;
  }

  public @Nullable Action<D> undo() {
    return undo;
  }

  public @Nullable Action<D> probe() {
    return probe;
  }

  /// What resolves doubt by asking: the probe, or the action again, or nothing.
  public @Nullable Action<D> asker() {
    if (probe != null) return probe;
    return repeatable ? action : null;
  }

  /// Whether asking sends the action again, so that it can itself bring the effect about.
  public boolean asksByRepeating() {
    return probe == null && repeatable && action != null;
  }

  public boolean waitsOnly() {
    return action == null;
  }

  public @Nullable String signal() {
    return signal;
  }

  public @Nullable SignalHandler<D> onSignal() {
    return onSignal;
  }

  public D ruledHappened(D data) {
    return ruledHappened.apply(data);
  }

  public AskPolicy ask(D data) {
    return ask.apply(data);
  }

  public GiveUp giveUp() {
    return giveUp;
  }

  public RetryPolicy retry() {
    return retry;
  }

  public RetryPolicy undoRetry() {
    return undoRetry;
  }

  public Duration timeout() {
    return timeout;
  }

  public Duration undoTimeout() {
    return undoTimeout;
  }

  public @Nullable Duration deadline() {
    return deadline;
  }

  public @Nullable Function<D, Instant> until() {
    return until;
  }

  public boolean isPivot() {
    return pivot;
  }

  public boolean isOptional() {
    return optional;
  }

  public boolean isHarmless() {
    return harmless || action == null;
  }

  public String lane() {
    return lane;
  }

  public String keyFor(String sagaId) {
    return key.replace("{id}", sagaId);
  }

  public String undoKeyFor(String sagaId) {
    return undoKey.replace("{id}", sagaId);
  }

  /// Why this step cannot be right by itself, or null.
  @Nullable String flaw() {
    if (name.isBlank() || name.length() > 60) return "a step's name has 1 to 60 characters";
    if (!name.chars().allMatch(c -> c > ' ' && c < 127)) {
      return "the name of step '" + name + "' may hold visible ASCII characters only";
    }
    if (!key.contains("{id}") || !undoKey.contains("{id}")) {
      return "the key of step '" + name + "' must contain {id}, or every saga would share it";
    }
    if (timeout.isZero()
        || timeout.isNegative()
        || undoTimeout.isZero()
        || undoTimeout.isNegative()) {
      return "the timeout of step '" + name + "' must be longer than nothing";
    }
    if (action == null && probe == null && signal == null) {
      return "step '" + name + "' waits for nothing: give it a signal or a probe";
    }
    if (pivot && optional) {
      return "step '" + name + "' is the pivot and optional: what would be the point of no return?";
    }
    if (pivot && giveUp.how() == How.UNDO) {
      return "step '"
          + name
          + "' is the pivot and would be undone in doubt: a pivot in doubt is held for a person";
    }
    return null;
  }

  /// What must not change under one version of a definition. Times and retry counts may.
  String shape() {
    return String.join(
        "|",
        name,
        action == null ? "wait" : "call",
        undo == null ? "-" : "undo",
        probe == null ? "-" : "probe",
        repeatable ? "repeatable" : "once",
        pivot ? "pivot" : "-",
        optional ? "optional" : "-",
        harmless ? "harmless" : "-",
        signal == null ? "-" : "signal:" + signal,
        giveUp.how().name(),
        lane,
        key,
        undoKey);
  }
}
