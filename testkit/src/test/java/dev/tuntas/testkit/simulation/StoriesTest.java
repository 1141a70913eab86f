package dev.tuntas.testkit.simulation;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Lane;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Late;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// Stories in virtual time, as an author of a saga would tell them.
class StoriesTest {

  private final List<String> log = new ArrayList<>();

  private Outcome<String> logged(String what, String data) {
    log.add(what);
    return Outcome.done(data);
  }

  /// A ride waits for its job id: five seconds for a callback, then by asking, half an hour long.
  @Nested
  class ARide {

    private static final Duration TOTAL = Duration.ofMinutes(30);

    private Outcome<String> answer = Outcome.pending("not yet assigned");
    private int answersFrom = 1;

    private final SagaDefinition<String> ride =
        SagaDefinition.saga(
                "ride",
                1,
                String.class,
                step("create-job", this::create).undo(this::cancel),
                Step.<String>waitFor("job-id")
                    .onSignal("assigned", (_, signal) -> Outcome.done(signal.body()))
                    .ifUnclearAsk(
                        this::ask,
                        AskPolicy.firstAfter(ofSeconds(5))
                            .then(
                                RetryPolicy.patient()
                                    .intervals(ofSeconds(2), ofSeconds(60))
                                    .jitter(0)))
                    .ifStillUnclear(GiveUp.undo(TOTAL)),
                step("confirm", this::confirm).pivot())
            .onLateSignal(
                (_, context) ->
                    context.phase() == Late.Phase.UNDONE
                        ? new Late.Undo<>("create-job", context.data())
                        : new Late.Ignore<>());

    private final VirtualEngine engine = new VirtualEngine(ride);

    private Outcome<String> create(String data, Call call) {
      return logged("create", data);
    }

    private Outcome<String> cancel(String data, Call call) {
      return logged("cancel " + call.key(), data);
    }

    private Outcome<String> confirm(String data, Call call) {
      return logged("confirm " + data, data);
    }

    private Outcome<String> ask(String data, Call call) {
      log.add("ask");
      return call.attempt() >= answersFrom ? answer : Outcome.pending("not yet assigned");
    }

    private Put assigned(String externalId) {
      return engine.tell("r-1", new Signal("partner", externalId, "assigned", "job-7"));
    }

    @Test
    void a_callback_within_five_seconds_means_that_nobody_asks() {
      engine.start(ride, "r-1", "");
      engine.run(ofMillis(4_999));
      assigned("e-1");
      engine.run(TOTAL);
      assertThat(log).containsExactly("create", "confirm job-7");
      assertThat(engine.progress("r-1")).isInstanceOf(Done.class);
    }

    @Test
    void the_third_question_is_answered() {
      answer = Outcome.done("job-7");
      answersFrom = 3;
      engine.start(ride, "r-1", "");
      engine.run(ofSeconds(10));
      assertThat(log).containsExactly("create", "ask", "ask");
      engine.run(ofSeconds(1)); // 5 s, then 2 s, then 4 s later
      assertThat(log).containsExactly("create", "ask", "ask", "ask", "confirm job-7");
    }

    @Test
    void nothing_after_thirty_minutes_and_not_before() {
      engine.start(ride, "r-1", "");
      engine.run(TOTAL.minusMillis(1));
      assertThat(engine.progress("r-1")).isInstanceOf(Asking.class);
      engine.run(ofMillis(1));
      assertThat(engine.progress("r-1")).isInstanceOf(Undone.class);
      assertThat(log).endsWith("cancel r-1/create-job/undo");
      int asked = log.size();
      engine.run(TOTAL);
      assertThat(log).hasSize(asked);
      assertThat(asked).isBetween(30, 40); // at most one a minute, after a few quick ones
    }

    @Test
    void a_permanent_answer_ends_the_asking() {
      answer = Outcome.declined("NOT_FOUND", "no such booking");
      engine.start(ride, "r-1", "");
      engine.run(TOTAL);
      assertThat(log).containsExactly("create", "ask", "cancel r-1/create-job/undo");
    }

    @Test
    void a_callback_while_asking_ends_the_asking() {
      engine.start(ride, "r-1", "");
      engine.run(ofMillis(6_999));
      assertThat(log).containsExactly("create", "ask");
      engine.run(ofMillis(1));
      assigned("e-1");
      engine.run(TOTAL);
      assertThat(log).containsExactly("create", "ask", "ask", "confirm job-7");
    }

    @Test
    void a_callback_that_comes_twice_is_one() {
      engine.start(ride, "r-1", "");
      assertThat(assigned("e-1")).isEqualTo(Put.NEW);
      assertThat(assigned("e-1")).isEqualTo(Put.KNOWN);
      assertThat(assigned("e-2")).isEqualTo(Put.NEW);
      engine.run(TOTAL);
      assertThat(log).containsExactly("create", "confirm job-7");
    }

    @Test
    void a_callback_before_everything_is_kept() {
      assigned("e-1");
      engine.start(ride, "r-1", "");
      assertThat(log).containsExactly("create", "confirm job-7");
    }

    @Test
    void a_callback_after_the_end_cancels_the_job_once_more() {
      engine.start(ride, "r-1", "");
      engine.run(TOTAL);
      log.clear();
      assigned("e-1");
      assigned("e-1");
      engine.run(ofMinutes(5));
      assertThat(log).containsExactly("cancel r-1/create-job/undo/e-1");
      assertThat(engine.progress("r-1")).isInstanceOf(Undone.class);
    }

    @Test
    void the_user_can_cancel_at_any_moment_before_it_is_confirmed() {
      engine.start(ride, "r-1", "");
      engine.run(ofSeconds(6));
      assertThat(engine.rule("r-1", Ruling.cancel("user", "too long"))).isEqualTo("applied");
      assertThat(log).containsExactly("create", "ask", "cancel r-1/create-job/undo");
      assertThat(engine.rule("r-1", Ruling.cancel("user", "again"))).startsWith("applied");
    }

    @Test
    void once_it_is_confirmed_nobody_can_cancel() {
      engine.start(ride, "r-1", "");
      assigned("e-1");
      assertThat(engine.rule("r-1", Ruling.cancel("user", "late")))
          .isEqualTo("refused: it is done");
    }
  }

  /// A room is held, then paid; the payment is told.
  @Nested
  class ABooking {

    private boolean releases = true;
    private boolean paymentFails;

    private final SagaDefinition<String> booking =
        SagaDefinition.saga(
            "booking",
            1,
            String.class,
            step("hold", this::hold).undo(this::release),
            step("pay", this::pay)
                .undo((data, _) -> logged("cancel payment", data))
                .onSignal("paid", (data, _) -> Outcome.done(data))
                .unrepeatable()
                .ifStillUnclear(GiveUp.undo(ofMinutes(30))),
            step("confirm", (String data, Call _) -> logged("confirm", data)).pivot());

    private final VirtualEngine engine = new VirtualEngine(booking);

    private Outcome<String> hold(String data, Call call) {
      return logged("hold", data);
    }

    private Outcome<String> pay(String data, Call call) {
      return paymentFails ? Outcome.declined("NO_FUNDS", "declined") : Outcome.pending("accepted");
    }

    private Outcome<String> release(String data, Call call) {
      log.add("release");
      return releases ? Outcome.done(data) : Outcome.unavailable("DOWN", "the hotel is away");
    }

    @Test
    void an_unpaid_room_is_free_again_after_thirty_minutes_and_not_before() {
      engine.start(booking, "b-1", "");
      engine.run(ofMinutes(30).minusMillis(1));
      assertThat(log).containsExactly("hold");
      engine.run(ofMillis(1));
      assertThat(log).containsExactly("hold", "cancel payment", "release");
      assertThat(engine.progress("b-1")).isInstanceOf(Undone.class);
    }

    @Test
    void a_failed_payment_frees_the_room() {
      paymentFails = true;
      engine.start(booking, "b-1", "");
      assertThat(log).containsExactly("hold", "release");
    }

    @Test
    void a_room_that_cannot_be_freed_is_tried_three_times_and_then_told() {
      paymentFails = true;
      releases = false;
      engine.start(booking, "b-1", "");
      engine.run(ofMinutes(30));
      assertThat(log).containsExactly("hold", "release", "release", "release");
      assertThat(engine.progress("b-1")).isInstanceOf(Held.class);
      assertThat(engine.notices()).extracting(n -> n.type()).contains("saga.compensation_failed");

      releases = true;
      assertThat(engine.rule("b-1", Ruling.retry("operator", "the hotel is back")))
          .isEqualTo("applied");
      assertThat(engine.progress("b-1")).isInstanceOf(Undone.class);
      assertThat(log).hasSize(5);
    }

    @Test
    void a_payment_is_told_and_the_room_is_confirmed() {
      engine.start(booking, "b-1", "");
      engine.run(ofMinutes(29));
      engine.tell("b-1", new Signal("bank", "1", "paid", ""));
      assertThat(log).containsExactly("hold", "confirm");
      assertThat(engine.progress("b-1")).isInstanceOf(Done.class);
    }
  }

  /// A partner goes away for ten minutes, while thousands want something of it, and comes back.
  @Nested
  class APartnerThatIsDown {

    private static final int SAGAS = 2_000;
    private static final int PER_SECOND = 100;

    private boolean down = true;
    private final List<Instant> calls = new ArrayList<>();
    private final SagaDefinition<String> order =
        SagaDefinition.saga(
            "order",
            1,
            String.class,
            step("charge", this::charge)
                .undo(this::charge)
                .retry(RetryPolicy.patient().attempts(8))
                .lane("bank"),
            Step.<String>waitFor("goods")
                .onSignal("gone", (_, _) -> Outcome.declined("SOLD_OUT", "")));

    private VirtualEngine engine =
        new VirtualEngine(List.of(Lane.Settings.of("bank").perSecond(PER_SECOND)), order);

    private Outcome<String> charge(String data, Call call) {
      calls.add(engine.now());
      return down ? Outcome.unavailable("DOWN", "no connection") : Outcome.done(data);
    }

    /// It is back: what waits leaves soon, steadily, and never faster than so.
    private void drains(int most) {
      down = false;
      calls.clear();
      var back = engine.now();
      engine.run(ofMinutes(3));
      assertThat(calls).hasSize(SAGAS);
      assertThat(calls.get(20)).as("more than trials").isBefore(back.plusSeconds(5));
      int inASecond = 0;
      int from = 0;
      for (int to = 0; to < SAGAS; to++) {
        while (!calls.get(from).isAfter(calls.get(to).minusSeconds(1))) from += 1;
        inASecond = Math.max(inASecond, to - from + 1);
      }
      double seconds = Duration.between(calls.getFirst(), calls.getLast()).toMillis() / 1_000.0;
      assertThat(inASecond).as("in any second").isLessThanOrEqualTo(most);
      assertThat((double) inASecond).as("twice the mean").isLessThan(2.2 * SAGAS / seconds);
    }

    @Test
    void is_left_alone_while_it_is_down_and_not_overrun_when_it_is_back() {
      for (int i = 0; i < SAGAS; i++) engine.start(order, "o-" + i, "");
      engine.run(ofMinutes(10));
      assertThat(calls)
          .as("twenty open the breaker, then one trial in three seconds")
          .hasSizeLessThan(20 + 10 * 60 / 3 + 10);
      drains(PER_SECOND);
      for (int i = 0; i < SAGAS; i++) {
        assertThat(engine.progress("o-" + i)).isInstanceOf(Asking.class);
      }
    }

    @Test
    void is_not_overrun_either_when_nobody_knows_how_much_it_takes() {
      engine = new VirtualEngine(order);
      for (int i = 0; i < SAGAS; i++) engine.start(order, "o-" + i, "");
      engine.run(ofMinutes(10));
      drains(900);
    }

    @Test
    void costs_no_undo_its_few_attempts() {
      down = false;
      for (int i = 0; i < 40; i++) engine.start(order, "o-" + i, "");
      engine.run(ofSeconds(5));
      down = true;
      for (int i = 0; i < 40; i++) engine.tell("o-" + i, new Signal("shop", "" + i, "gone", ""));
      engine.run(ofMinutes(60));
      down = false;
      engine.run(ofMinutes(1));
      for (int i = 0; i < 40; i++) assertThat(engine.progress("o-" + i)).isInstanceOf(Undone.class);
    }
  }

  /// A partner who takes fewer calls than there are, so that somebody has to wait.
  @Nested
  class APartnerWithALimit {

    private static final int PER_SECOND = 100;

    private final List<String> calls = new ArrayList<>();
    private boolean down;
    private final SagaDefinition<String> ride =
        SagaDefinition.saga(
            "ride",
            1,
            String.class,
            step("book", this::book).undo((data, _) -> noted("cancel", data)).lane("partner"),
            Step.<String>waitFor("job")
                .ifUnclearAsk(
                    this::ask,
                    AskPolicy.firstAfter(ofSeconds(5))
                        .then(
                            RetryPolicy.patient().intervals(ofSeconds(2), ofSeconds(2)).jitter(0)))
                .lane("partner")
                .ifStillUnclear(GiveUp.undo(ofMinutes(30)))
                .until(Instant::parse));
    private final VirtualEngine engine =
        new VirtualEngine(List.of(Lane.Settings.of("partner").perSecond(PER_SECOND)), ride);

    private Outcome<String> book(String data, Call call) {
      return noted("book", data);
    }

    private Outcome<String> ask(String data, Call call) {
      noted(call.attempt() == 1 ? "first" : "again", data);
      return down ? Outcome.unavailable("DOWN", "") : Outcome.pending("not yet");
    }

    private Outcome<String> noted(String what, String data) {
      calls.add(what);
      return down ? Outcome.unavailable("DOWN", "") : Outcome.done(data);
    }

    private void start(String id, Duration life) {
      engine.start(ride, id, engine.now().plus(life).toString());
    }

    private long count(String what) {
      return calls.stream().filter(what::equals).count();
    }

    @Test
    void acts_go_first_and_new_questions_have_their_share() {
      for (int i = 0; i < 400; i++) start("old-" + i, ofMinutes(30));
      engine.run(ofSeconds(30));
      calls.clear();
      for (int second = 0; second < 20; second++) {
        for (int i = 0; i < 40; i++) start("new-" + second + "-" + i, ofMinutes(30));
        engine.run(ofSeconds(1));
      }
      assertThat(count("book")).isBetween(790L, 800L);
      assertThat(count("first")).as("half of what is left").isBetween(360L, 480L);
      assertThat(count("again")).as("the other half").isBetween(480L, 640L);
      assertThat(calls).hasSizeLessThanOrEqualTo(2_000);
    }

    @Test
    void whose_time_is_over_is_given_up_though_the_lane_is_closed() {
      for (int i = 0; i < 40; i++) start("o-" + i, ofMinutes(10));
      engine.run(ofSeconds(4));
      down = true;
      engine.run(ofMinutes(10).minusSeconds(5));
      for (int i = 0; i < 40; i++) assertThat(engine.progress("o-" + i)).isInstanceOf(Asking.class);
      engine.run(ofSeconds(1));
      for (int i = 0; i < 40; i++) {
        assertThat(engine.progress("o-" + i)).isInstanceOf(Undoing.class);
      }
      down = false;
      engine.run(ofMinutes(3));
      for (int i = 0; i < 40; i++) assertThat(engine.progress("o-" + i)).isInstanceOf(Undone.class);
    }
  }
}
