package dev.tuntas.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Late;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// A definition drawn by chance: any that is not refused.
final class DrawnSaga {

  private static final List<String> NAMES = List.of("hold", "pay", "job", "confirm", "ship");

  private final SplittableRandom random;

  private DrawnSaga(SplittableRandom random) {
    this.random = random;
  }

  static SagaDefinition<String> from(SplittableRandom random) {
    return new DrawnSaga(random).definition();
  }

  private SagaDefinition<String> definition() {
    int size = random.nextInt(1, NAMES.size() + 1);
    int pivot = random.nextInt(size + 1); // none if it is the size
    @SuppressWarnings({"unchecked", "rawtypes"})
    Step<String>[] steps =
        IntStream.range(0, size).mapToObj(i -> step(i, pivot)).toArray(Step[]::new);
    var saga = Story.saga(steps).onLateSignal(lateHandler());
    return chance(3) ? saga.deadline(one(ofSeconds(10), ofMinutes(5))) : saga;
  }

  private Step<String> step(int index, int pivot) {
    var name = NAMES.get(index);
    boolean waits = chance(4);
    var step = waits ? Step.<String>waitFor(name) : Steps.call(name);
    if (waits || chance(2)) step = Steps.answered(step);
    step = step.ifUnclearRepeat(asks());
    if (chance(2)) step = step.ifUnclearAsk((data, call) -> Outcome.done(data), asks());
    if (chance(6)) step = step.unrepeatable();
    step = step.timeout(one(ofSeconds(1), ofSeconds(10))).lane(one("", "bank"));
    if (chance(4)) step = step.deadline(one(ofSeconds(2), ofMinutes(1)));
    var patience = one(ofSeconds(5), ofMinutes(1), ofHours(1));
    boolean before = index < pivot;
    step = step.retry(retries(before));
    step = step.ifStillUnclear(before && chance(2) ? GiveUp.undo(patience) : GiveUp.hold(patience));
    if (before && !chance(5)) step = step.undo((data, call) -> Outcome.done(data));
    else if (before) step = step.harmless();
    if (index == pivot) return step.pivot();
    return chance(4) ? step.optional() : step;
  }

  private RetryPolicy retries(boolean mayBeOne) {
    return RetryPolicy.patient().attempts(random.nextInt(mayBeOne ? 1 : 2, 5));
  }

  private AskPolicy asks() {
    var intervals = RetryPolicy.patient().intervals(one(ofMillis(500), ofSeconds(2)), ofMinutes(1));
    return AskPolicy.firstAfter(one(ofMillis(100), ofSeconds(2), ofSeconds(30))).then(intervals);
  }

  private Late.Handler<String> lateHandler() {
    return one(
        (signal, context) -> new Late.Ignore<>(),
        (signal, context) -> new Late.Announce<>(new Notice("late", context.phase().name())),
        (signal, context) -> new Late.Note<>(signal.name(), "late", List.of()),
        (signal, context) -> new Late.Undo<>(signal.name(), context.data()));
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private <T> T one(T... of) {
    return of[random.nextInt(of.length)];
  }

  static Duration upTo(SplittableRandom random, Duration most) {
    return ofMillis(random.nextLong(most.toMillis() + 1));
  }
}
