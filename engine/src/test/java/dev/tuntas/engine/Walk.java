package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Event.Abandoned;
import dev.tuntas.engine.Event.Due;
import dev.tuntas.engine.Event.Reported;
import dev.tuntas.engine.Event.Ruled;
import dev.tuntas.engine.Event.Seized;
import dev.tuntas.engine.Event.Told;
import dev.tuntas.engine.Next.Make;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// One saga's life by chance: it is called, answered, told, ruled on and taken over as a worker
/// would do it, and what must always hold is checked at every decision.
final class Walk {

  private static final int EVENTS = 40;
  private static final int HEALING_MAX = 400;

  /// Hears of every decision.
  interface Watcher {
    void saw(Progress before, Event<String> event, Progress after);
  }

  private final SplittableRandom random;
  private final SagaDefinition<String> saga;
  private final Watcher watcher;
  private final Ledger ledger;
  private final @Nullable StringBuilder story;
  private final Transition transition = new Transition();
  private Instant now = Story.START;
  private Decision<String> decision;
  private @Nullable Make calling;
  private int signals;

  private void tell(Object event) {
    if (story == null) return;
    story.append(Duration.between(Story.START, now)).append(' ').append(event).append(" -> ");
    story.append(decision.state().progress()).append(" (").append(decision.what()).append(")\n");
  }

  private Walk(long seed, Watcher watcher, @Nullable StringBuilder story) {
    this.story = story;
    this.random = new SplittableRandom(seed);
    this.saga = DrawnSaga.from(random);
    this.watcher = watcher;
    this.ledger = new Ledger(saga);
    this.decision = transition.start(saga, Story.ID, "data", now);
    ledger.entered(decision);
    tell("start");
  }

  /// Walks by chance, then lets everything succeed until the saga rests.
  static void by(long seed, Watcher watcher) {
    try {
      new Walk(seed, watcher, null).walk();
    } catch (RuntimeException | AssertionError broken) {
      throw new AssertionError(
          "seed " + seed + ": " + broken.getMessage() + "\n" + told(seed), broken);
    }
  }

  private static String told(long seed) {
    var story = new StringBuilder();
    try {
      new Walk(seed, (before, event, after) -> {}, story).walk();
    } catch (RuntimeException | AssertionError again) {
      return story.toString();
    }
    return "the same seed went well the second time";
  }

  private void walk() {
    for (int i = 0; i < EVENTS; i++) step();
    heal();
  }

  // By chance

  private void step() {
    int chance = random.nextInt(100);
    if (chance < 64) naturally(this::anyOutcome);
    else if (chance < 70) pass(Duration.ofMinutes(2)).hear(new Due<>());
    else if (chance < 78) pass(Duration.ofSeconds(3)).hear(anySignal());
    else if (chance < 87) pass(Duration.ofSeconds(3)).hear(anyRuling());
    else if (chance < 96) pass(Duration.ofSeconds(5)).hear(new Abandoned<>());
    else if (chance < 98) hear(new Seized<>(new Failure.Broken("BUG", "it threw")));
    else strayAnswer();
  }

  private interface Answers {
    Outcome<String> next();
  }

  private void naturally(Answers answers) {
    var call = calling;
    if (call != null) {
      pass(call.call().timeout()).hear(new Reported<>(answers.next()));
      return;
    }
    switch (decision.next()) {
      case Make make -> send(make);
      case Next.Sleep(var until, _) -> {
        now = until;
        hear(new Due<>());
      }
      case Next.Await _ -> hear(new Abandoned<>()); // its worker is gone
      case Next.Rest _ -> hear(anyRuling());
      case Next.Nap _ -> throw new AssertionError("only a worker naps");
    }
  }

  private void send(Make make) {
    pass(Duration.ofMillis(500)); // it waited for its permit
    hear(new Due<>());
    if (!decision.next().equals(make)) return;
    var before = decision.state().progress();
    decision = Transition.send(saga, decision, now);
    watcher.saw(before, new Due<>(), decision.state().progress());
    tell("permit");
    ledger.sent(make, decision.state().progress(), now);
    calling = make;
  }

  /// An answer that nobody waits for, where a worker would not have thrown it away.
  private void strayAnswer() {
    switch (decision.state().progress()) {
      case Progress.Ready _, Held _, Done _, Progress.Undone _ ->
          hear(new Reported<>(anyOutcome()));
      case Progress.Sent _, Progress.Asking _, Progress.Undoing _ -> naturally(this::anyOutcome);
    }
  }

  private Outcome<String> anyOutcome() {
    return switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> Outcome.done("data");
      case 4 -> Outcome.declined("NO", "said no");
      case 5 -> Outcome.unavailable("AWAY", "not there");
      case 6 -> new Outcome.Failed<>(new Failure.Unavailable("BUSY", "", Duration.ofSeconds(90)));
      case 7 -> Outcome.absent("nothing");
      case 8 -> Outcome.pending("not yet");
      default -> Outcome.unclear("reset");
    };
  }

  private Event<String> anySignal() {
    int index = random.nextInt(saga.steps().size() + 1);
    var name = index < saga.steps().size() ? saga.steps().get(index).name() : "nobody";
    var bodies = new String[] {"yes", "no", "wait", "???"};
    return new Told<>(Steps.signal(name, "s-" + ++signals, bodies[random.nextInt(bodies.length)]));
  }

  private Event<String> anyRuling() {
    var kinds = Ruling.Kind.values();
    var kind = kinds[random.nextInt(kinds.length)];
    int seen = random.nextInt(10) == 0 ? 1 : 2;
    return new Ruled<>(new Ruling(kind, "ana", "she knows", "", seen), 2);
  }

  private Walk pass(Duration atMost) {
    now = now.plus(DrawnSaga.upTo(random, atMost));
    return this;
  }

  // Every decision

  private void hear(Event<String> event) {
    var before = decision;
    decision = transition.next(saga, Story.ID, before.state(), event, now);
    assertThat(transition.next(saga, Story.ID, before.state(), event, now))
        .as("the same again gives the same decision")
        .isEqualTo(decision);
    tell(event);
    Always.holds(decision, now);
    lookingAgainChangesNothing();
    afterTheEndNothingIsCalled(before);
    watcher.saw(before.state().progress(), event, decision.state().progress());
    boolean sameCall = decision.state().progress().equals(before.state().progress());
    if (event instanceof Reported || event instanceof Abandoned || !sameCall) calling = null;
    ledger.decided(before, event, decision, now);
  }

  private void lookingAgainChangesNothing() {
    var again = transition.next(saga, Story.ID, decision.state(), new Due<>(), now);
    assertThat(again.state()).isEqualTo(decision.state());
    assertThat(again.next()).isEqualTo(decision.next());
    assertThat(again.what()).isEmpty();
  }

  private void afterTheEndNothingIsCalled(Decision<String> before) {
    if (!(before.state().progress() instanceof Done)) return;
    assertThat(decision.state().progress()).isInstanceOf(Done.class);
    assertThat(decision.next()).isEqualTo(new Next.Rest(Status.DONE));
  }

  // In the end

  private void heal() {
    for (int i = 0; i < HEALING_MAX; i++) {
      var progress = decision.state().progress();
      if (decision.next() instanceof Next.Rest(var status) && status.isEnd()) return;
      if (progress instanceof Held) settleByHand();
      else naturally(() -> Outcome.done("data"));
    }
    throw new AssertionError("it does not come to rest: " + decision);
  }

  private void settleByHand() {
    hear(new Ruled<>(new Ruling(Ruling.Kind.HAPPENED, "ana", "she knows", "", 2), 2));
    if (decision.verdict().startsWith("refused"))
      hear(new Ruled<>(Ruling.retry("ana", "again"), 2));
  }
}
