package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.saga.Announcer;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One saga in the hands of a test: it hears what happens and shows what it decides. What must hold
/// for every decision is checked at each.
final class Story {

  static final Instant START = Instant.parse("2026-01-09T10:00:00Z");
  static final String ID = "o-1";
  private static final long VERSION = 7;

  private final Decider decider = new Transition();
  private final SagaDefinition<String> saga;
  private final List<String> calls = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();
  private final StringBuilder history = new StringBuilder();
  private Instant now = START;
  private Decision<String> decision;

  private Story(SagaDefinition<String> saga) {
    this.saga = saga;
    this.decision = decider.start(saga, ID, "data", now);
    taken();
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  static Story of(Step<String>... steps) {
    return of(saga(steps));
  }

  static Story of(SagaDefinition<String> saga) {
    return new Story(saga);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  static SagaDefinition<String> saga(Step<String>... steps) {
    return SagaDefinition.saga("booking", 1, String.class, steps).announce(everything());
  }

  private static Announcer<String> everything() {
    return moment -> List.of(new Notice(moment.kind().name(), text(moment)));
  }

  private static String text(Moment<String> moment) {
    var cause = moment.cause();
    return moment.kind().name().toLowerCase(Locale.ROOT)
        + (moment.step() == null ? "" : " " + moment.step())
        + (cause == null ? "" : " " + cause.code())
        + (moment.doubted() ? " doubted" : "");
  }

  // What happens

  Story hear(Event<String> event) {
    var before = decision.state();
    decision = decider.next(saga, ID, before, event, now);
    assertThat(decider.next(saga, ID, before, event, now))
        .as("the same again gives the same decision")
        .isEqualTo(decision);
    taken();
    return this;
  }

  private void taken() {
    Always.holds(decision, now);
    if (decision.next() instanceof Next.Make make) {
      var verb = make.direction().name().toLowerCase(Locale.ROOT);
      calls.add(verb + " " + make.call().step());
    }
    for (var notice : decision.notices()) notices.add(notice.body());
    if (!decision.what().isEmpty()) history.append(decision.what()).append('\n');
  }

  /// The lane permits the call: it is noted as sent.
  Story sent() {
    decision = Transition.send(saga, decision, now);
    if (decision.state().progress() instanceof Progress.Sent) {
      history.append(decision.what()).append('\n');
    }
    return this;
  }

  Story pass(Duration time) {
    now = now.plus(time);
    return this;
  }

  Story passTo(Instant time) {
    assertThat(time).isAfterOrEqualTo(now);
    now = time;
    return this;
  }

  Story due() {
    return hear(new Event.Due<>());
  }

  /// Sleeps as long as it wants to.
  Story sleep() {
    return passTo(sleepsUntil()).due();
  }

  Story reports(Outcome<String> outcome) {
    return reports(outcome, false);
  }

  Story reports(Outcome<String> outcome, boolean partnerAway) {
    return hear(new Event.Reported<>(outcome, partnerAway));
  }

  /// Makes the call it wants to make, which is answered at once.
  Story answer(Outcome<String> outcome) {
    assertThat(decision.next()).isInstanceOf(Next.Make.class);
    return sent().reports(outcome);
  }

  Story succeeds() {
    return answer(Outcome.done("data"));
  }

  Story declined() {
    return answer(Outcome.declined("NO", "said no"));
  }

  Story unavailable() {
    return answer(Outcome.unavailable("AWAY", "not there"));
  }

  Story unclear() {
    return answer(Outcome.unclear("connection lost"));
  }

  Story abandoned() {
    return hear(new Event.Abandoned<>());
  }

  Story told(Signal signal) {
    return hear(new Event.Told<>(signal));
  }

  Story told(String name, String body) {
    return told(Steps.signal(name, body));
  }

  Story ruled(Ruling.Kind kind) {
    return ruledHavingSeen(VERSION, kind);
  }

  Story ruledHavingSeen(long version, Ruling.Kind kind) {
    var ruling = new Ruling(kind, "ana", "she knows", "mail 7", version);
    return hear(new Event.Ruled<>(ruling, VERSION));
  }

  Story seized() {
    return hear(new Event.Seized<>(new Failure.Broken("BUG", "it threw")));
  }

  // What it shows

  Progress progress() {
    return decision.state().progress();
  }

  /// Its progress, which must be of this kind.
  <P extends Progress> P progress(Class<P> kind) {
    assertThat(progress()).isInstanceOf(kind);
    return kind.cast(progress());
  }

  Trail trail() {
    return decision.state().trail();
  }

  String data() {
    return decision.state().data();
  }

  Next next() {
    return decision.next();
  }

  Next.Make make() {
    assertThat(next()).isInstanceOf(Next.Make.class);
    return (Next.Make) next();
  }

  Instant sleepsUntil() {
    assertThat(next()).isInstanceOf(Next.Sleep.class);
    return ((Next.Sleep) next()).until();
  }

  /// How long it sleeps from now.
  Duration sleeps() {
    return Duration.between(now, sleepsUntil());
  }

  boolean rests(Status status) {
    return next().equals(new Next.Rest(status));
  }

  String verdict() {
    return decision.verdict();
  }

  /// What the last decision recorded.
  String what() {
    return decision.what();
  }

  /// What all decisions recorded.
  String history() {
    return history.toString();
  }

  /// All calls it wanted to make, as "do pay", "ask pay", "undo pay".
  List<String> calls() {
    return calls;
  }

  /// What the world heard, as "step_done pay".
  List<String> notices() {
    return notices;
  }

  Instant now() {
    return now;
  }
}
