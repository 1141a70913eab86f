package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofMinutes;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A shelf with a few things on it: take one, then check out. It can be wrong in several ways, and
/// one order kills whoever calls for it.
final class ShelfWorld implements World<Integer> {

  /// Mistakes of services, not of the engine.
  enum Mistake implements Bugs {
    AN_UNDO_LEAVES_NO_TOMBSTONE,
    /// The same where calls may take ten seconds, as they may by default.
    AN_UNDO_OF_SLOW_CALLS_LEAVES_NO_TOMBSTONE,
    STOCK_IS_CHECKED_IN_A_COPY
  }

  private static final int STOCK = 12;
  private static final int COPY_EVERY = 5;

  private final Bugs mistake;
  private final boolean deadly;
  private final Duration timeout;
  private final Set<String> taken = new HashSet<>();
  private final Set<String> undone = new HashSet<>();
  private final Set<String> refused = new HashSet<>();
  private int copy = STOCK;
  private int requests;

  ShelfWorld(Bugs mistake, boolean deadly, Duration timeout) {
    this.mistake = mistake;
    this.deadly = deadly;
    this.timeout = timeout;
  }

  @Override
  public SagaDefinition<Integer> saga() {
    return SagaDefinition.saga(
        "shelf",
        1,
        Integer.class,
        step("take", this::take)
            .undo(this::putBack)
            .timeout(timeout)
            .ifStillUnclear(GiveUp.undo(ofMinutes(1))),
        step("check-out", (Integer n, Call _) -> Outcome.done(n)).timeout(timeout).pivot());
  }

  private Outcome<Integer> take(Integer n, Call call) {
    if (taken.contains(call.key())) return Outcome.done(n);
    if (undone.contains(call.sagaId())) return Outcome.declined("UNDONE", "it was put back");
    // Who was told that there is nothing gets nothing, also if the same request comes once more.
    if (refused.contains(call.key()) || left() <= 0) {
      refused.add(call.key());
      return Outcome.declined("EMPTY", "nothing left");
    }
    taken.add(call.key());
    return Outcome.done(n);
  }

  private int left() {
    boolean fresh = mistake != Mistake.STOCK_IS_CHECKED_IN_A_COPY || requests++ % COPY_EVERY == 0;
    if (fresh) copy = STOCK - taken.size();
    return copy;
  }

  private Outcome<Integer> putBack(Integer n, Call call) {
    boolean forgets =
        mistake == Mistake.AN_UNDO_LEAVES_NO_TOMBSTONE
            || mistake == Mistake.AN_UNDO_OF_SLOW_CALLS_LEAVES_NO_TOMBSTONE;
    if (!forgets) undone.add(call.sagaId());
    taken.remove(keyOf(call.sagaId()));
    return Outcome.done(n);
  }

  private static String keyOf(String sagaId) {
    return sagaId + "/take/do";
  }

  @Override
  public Integer order(int n) {
    return n;
  }

  @Override
  public @Nullable String wrongNow(String sagaId) {
    return taken.size() > STOCK ? "more was taken than there is" : null;
  }

  @Override
  public @Nullable String wrongAtRest(SagaRow saga) {
    boolean has = taken.contains(keyOf(saga.id()));
    if (saga.status() == Status.DONE && !has) return "it is done and has nothing";
    return saga.status() == Status.UNDONE && has ? "it is undone and kept what it took" : null;
  }

  @Override
  public boolean happened(String sagaId, String step) {
    return step.equals("take") && taken.contains(keyOf(sagaId));
  }

  @Override
  public boolean kills(String sagaId, String step) {
    return deadly && sagaId.equals("s1") && step.equals("take");
  }
}
