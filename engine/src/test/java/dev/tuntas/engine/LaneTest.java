package dev.tuntas.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tuntas.engine.Next.Rank;
import dev.tuntas.saga.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LaneTest {

  private static final Outcome<String> FINE = Outcome.done("x");
  private static final Outcome<String> TROUBLE = Outcome.unavailable("AWAY", "");

  private final List<String> heard = new ArrayList<>();
  private Instant now = Story.START;

  private Lane lane(Lane.Settings settings) {
    var numbers = Map.of(Rank.ACT, 1, Rank.FIRST, 2, Rank.AGAIN, 3);
    return new Lane(settings, numbers, (lane, state) -> heard.add(lane + " " + state));
  }

  private Lane bank(double perSecond) {
    return lane(Lane.Settings.of("bank").perSecond(perSecond));
  }

  /// How many permits can be had in so long, looking every millisecond.
  private int permitsWithin(Lane lane, Duration time) {
    int permits = 0;
    var end = now.plus(time);
    for (; now.isBefore(end); now = now.plusMillis(1))
      while (lane.tryAcquire(now) != null) permits++;
    return permits;
  }

  private Lane.Permit permit(Lane lane) {
    return requireNonNull(lane.tryAcquire(now));
  }

  private void call(Lane lane, Outcome<String> outcome) {
    permit(lane).ended(outcome, now, now, true);
  }

  @Nested
  class Rate {

    @Test
    void in_the_long_run_it_stays_below_the_limit() {
      assertThat(permitsWithin(bank(100), Duration.ofSeconds(60))).isBetween(5_350, 5_500);
      assertThat(permitsWithin(bank(1), Duration.ofSeconds(60))).isBetween(53, 60);
      assertThat(permitsWithin(bank(0.1), Duration.ofSeconds(600))).isBetween(53, 60);
    }

    @Test
    void a_burst_is_a_tenth_of_a_second_at_most() {
      var lane = bank(500);
      now = now.plusSeconds(3600);
      assertThat(lane.available(now)).isEqualTo(45);
      assertThat(permitsWithin(lane, Duration.ofMillis(1))).isEqualTo(45);
    }

    @Test
    void no_second_holds_more_than_the_limit_not_even_after_a_rest() {
      var lane = bank(500);
      now = now.plusSeconds(3600);
      assertThat(permitsWithin(lane, Duration.ofSeconds(1))).isLessThanOrEqualTo(500);
    }

    @Test
    void a_slow_partner_gets_one_call_at_a_time() {
      var lane = bank(0.5);
      assertThat(lane.tryAcquire(now)).isNotNull();
      assertThat(lane.tryAcquire(now.plusSeconds(2))).isNull();
      assertThat(lane.tryAcquire(now.plusMillis(2_223))).isNotNull();
    }

    @Test
    void it_is_shared_among_the_living_nodes() {
      var lane = bank(100);
      lane.share(4);
      permitsWithin(lane, Duration.ofSeconds(1)); // what was there before
      assertThat(permitsWithin(lane, Duration.ofSeconds(60))).isBetween(1_340, 1_360);
      lane.share(0); // nobody knows of anybody: at least this one lives
      permitsWithin(lane, Duration.ofSeconds(1));
      assertThat(permitsWithin(lane, Duration.ofSeconds(10))).isBetween(885, 905);
    }

    @Test
    void a_permit_that_was_not_used_comes_back() {
      var lane = bank(1);
      var permit = permit(lane);
      assertThat(lane.available(now)).isZero();
      permit.giveBack();
      assertThat(lane.available(now)).isEqualTo(1);
    }

    @Test
    void a_clock_that_goes_back_stops_no_lane() {
      var lane = bank(1);
      assertThat(lane.tryAcquire(now)).isNotNull();
      assertThat(lane.tryAcquire(now.minusSeconds(100))).isNull();
      assertThat(lane.tryAcquire(now.minusSeconds(98))).isNotNull();
    }

    @Test
    void without_a_limit_everything_goes() {
      assertThat(lane(Lane.Settings.of("bank")).available(now)).isEqualTo(1_000_000);
    }
  }

  @Test
  void no_more_calls_are_under_way_than_it_allows() {
    var lane = lane(Lane.Settings.of("bank").concurrency(2));
    var first = permit(lane);
    var second = permit(lane);
    assertThat(lane.tryAcquire(now)).isNull();
    first.ended(FINE, now, now, true);
    assertThat(lane.available(now)).isEqualTo(1);
    second.giveBack();
    assertThat(lane.available(now)).isEqualTo(2);
  }

  @Test
  void where_many_wait_only_those_who_act_overtake_them() {
    var lane = bank(100);
    lane.crowded(true, now);
    assertThat(lane.tryAcquire(Rank.FIRST, now)).isNull();
    assertThat(lane.tryAcquire(Rank.AGAIN, now)).isNull();
    assertThat(lane.tryAcquire(Rank.ACT, now)).isNotNull();
    lane.crowded(false, now);
    assertThat(lane.tryAcquire(Rank.AGAIN, now)).isNotNull();
  }

  @Nested
  class WithABreaker {

    private final Lane lane =
        lane(
            Lane.Settings.of("bank")
                .breaker(
                    new Breaker.Settings(
                        0.5,
                        4,
                        10,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(4),
                        Duration.ofMinutes(2))));

    private void calls(int times, Outcome<String> outcome) {
      for (int i = 0; i < times; i++) call(lane, outcome);
    }

    @Test
    void trouble_opens_it_and_after_a_good_trial_calls_go_at_a_small_pace() {
      assertThat(lane.breaker()).isEqualTo(Breaker.State.CLOSED);
      calls(4, TROUBLE);
      assertThat(lane.breaker()).isEqualTo(Breaker.State.OPEN);
      assertThat(lane.available(now)).isZero();
      assertThat(lane.tryAcquire(now)).isNull();
      now = now.plusSeconds(1);
      assertThat(lane.available(now)).isEqualTo(1);
      call(lane, FINE);
      assertThat(lane.breaker()).isEqualTo(Breaker.State.TRIAL);
      assertThat(permitsWithin(lane, Duration.ofSeconds(1))).isBetween(10, 11);
      assertThat(heard).containsExactly("bank OPEN", "bank TRIAL");
    }

    @Test
    void it_closes_when_those_who_waited_are_gone() {
      calls(4, TROUBLE);
      now = now.plusSeconds(1);
      call(lane, FINE);
      now = now.plusSeconds(4);
      lane.crowded(true, now);
      assertThat(lane.breaker()).isEqualTo(Breaker.State.TRIAL);
      lane.crowded(false, now);
      assertThat(lane.available(now)).isEqualTo(1_000_000);
      assertThat(heard).containsExactly("bank OPEN", "bank TRIAL", "bank CLOSED");
    }

    @Test
    void a_bad_trial_keeps_it_open() {
      calls(4, TROUBLE);
      now = now.plusSeconds(1);
      call(lane, TROUBLE);
      assertThat(lane.available(now)).isZero();
      assertThat(heard).containsExactly("bank OPEN");
    }

    @Test
    void a_trial_that_was_not_made_may_be_made_by_another() {
      calls(4, TROUBLE);
      now = now.plusSeconds(1);
      var permit = permit(lane);
      assertThat(lane.tryAcquire(now)).isNull();
      permit.giveBack();
      assertThat(lane.tryAcquire(now)).isNotNull();
    }

    @Test
    void a_call_from_before_it_opened_that_says_nothing_is_no_reason_for_another_trial() {
      var before = permit(lane);
      var unused = permit(lane);
      calls(4, TROUBLE);
      now = now.plusSeconds(1);
      permit(lane);
      before.ended(TROUBLE, now, now, false);
      unused.giveBack();
      assertThat(lane.tryAcquire(now)).isNull();
    }

    @Test
    void it_tells_who_calls_that_the_partner_is_left_alone() {
      calls(3, TROUBLE);
      assertThat(permit(lane).ended(TROUBLE, now, now, true)).isTrue();
      now = now.plusSeconds(1);
      assertThat(permit(lane).ended(FINE, now, now, true)).isFalse();
    }

    @Test
    void a_partner_that_bars_us_is_left_alone_at_once() {
      call(lane, Outcome.barred("partner_unauthorized", ""));
      assertThat(lane.breaker()).isEqualTo(Breaker.State.OPEN);
      now = now.plusSeconds(120);
      call(lane, Outcome.barred("partner_unauthorized", ""));
      assertThat(lane.available(now)).isZero();
      now = now.plusSeconds(120);
      call(lane, FINE);
      assertThat(heard).containsExactly("bank OPEN", "bank TRIAL");
    }

    @Test
    void a_timeout_is_trouble() {
      calls(4, Outcome.unclear("no answer"));
      assertThat(lane.available(now)).isZero();
    }

    @Test
    void not_finished_yet_is_no_trouble_and_neither_is_a_clear_no() {
      calls(100, Outcome.pending("not yet assigned"));
      calls(100, Outcome.declined("NO_MONEY", ""));
      calls(100, Outcome.absent("nothing"));
      assertThat(lane.available(now)).isEqualTo(1_000_000);
      assertThat(heard).isEmpty();
    }

    @Test
    void our_own_trouble_is_not_the_partners() {
      calls(100, Outcome.unavailableHere("STORE", "our database does not answer"));
      calls(100, Outcome.unclearHere("our database may have done it"));
      for (int i = 0; i < 100; i++) {
        permit(lane).ended(TROUBLE, now, now, false); // this process could not show that it lives
      }
      assertThat(lane.available(now)).isEqualTo(1_000_000);
      assertThat(heard).isEmpty();
    }

    @Test
    void our_own_trouble_decides_no_trial_either() {
      calls(4, TROUBLE);
      now = now.plusSeconds(1);
      call(lane, Outcome.unclearHere("our database may have done it"));
      assertThat(lane.breaker()).isEqualTo(Breaker.State.OPEN);
      assertThat(lane.tryAcquire(now)).as("somebody else tries").isNotNull();
    }
  }

  /// Thousands wait for a partner that was away and is back. It answers after 50 ms.
  @Nested
  class ABacklog {

    private static final int LATENCY = 50;
    private static final int SECOND = 1_000;

    private final List<Long> calls = new ArrayList<>();
    private final PriorityQueue<UnderWay> underWay =
        new PriorityQueue<>(Comparator.comparing(UnderWay::endsAt));

    private record UnderWay(Lane.Permit permit, Instant begun, Instant endsAt) {}

    private static boolean always(Instant now) {
      return true;
    }

    /// Claims every tenth of a second, as the engine does. Returns how many are left.
    private int drain(int waiting, Duration time, Predicate<Instant> up, Lane... nodes) {
      calls.clear();
      int left = waiting;
      var begin = now;
      for (var end = now.plus(time); now.isBefore(end); now = now.plusMillis(1)) {
        while (!underWay.isEmpty() && !underWay.peek().endsAt.isAfter(now)) {
          var call = underWay.remove();
          boolean fine = up.test(call.begun);
          call.permit.ended(fine ? FINE : TROUBLE, call.begun, now, true);
          if (!fine) left += 1;
        }
        if (now.toEpochMilli() % 100 != 0) continue;
        for (var lane : nodes) {
          boolean wanted = left > 0;
          while (left > 0) {
            var permit = lane.tryAcquire(now);
            if (permit == null) break;
            left -= 1;
            calls.add(Duration.between(begin, now).toMillis());
            underWay.add(new UnderWay(permit, now, now.plusMillis(LATENCY)));
          }
          lane.crowded(wanted && left > 0, now);
        }
      }
      return left;
    }

    private int mostInASecond() {
      int most = 0;
      int from = 0;
      for (int to = 0; to < calls.size(); to++) {
        while (calls.get(from) <= calls.get(to) - SECOND) from += 1;
        most = Math.max(most, to - from + 1);
      }
      return most;
    }

    private void drainsEvenly(int sagas, int limit) {
      assertThat(calls.get(20)).as("more than trials go after").isLessThan(5_000);
      assertThat(mostInASecond()).as("in any second").isLessThanOrEqualTo(limit);
      double seconds = (calls.getLast() - calls.getFirst()) / 1_000.0;
      assertThat(mostInASecond())
          .as("in any second")
          .isLessThanOrEqualTo((int) (2.1 * sagas / seconds));
    }

    @Test
    void with_a_limit() {
      var lane = bank(200);
      assertThat(drain(5_000, Duration.ofMinutes(35), _ -> false, lane)).isBetween(4_998, 5_000);
      assertThat(drain(5_000, Duration.ofSeconds(60), ABacklog::always, lane)).isZero();
      drainsEvenly(5_000, 200);
      assertThat(lane.breaker()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void without_a_limit() {
      var lane = lane(Lane.Settings.of("bank"));
      drain(5_000, Duration.ofMinutes(5), _ -> false, lane);
      assertThat(drain(5_000, Duration.ofSeconds(30), ABacklog::always, lane)).isZero();
      drainsEvenly(5_000, 1_100);
      assertThat(lane.breaker()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void of_two_nodes() {
      var here = bank(200);
      var there = bank(200);
      here.share(2);
      there.share(2);
      drain(5_000, Duration.ofMinutes(5), _ -> false, here, there);
      assertThat(drain(5_000, Duration.ofSeconds(60), ABacklog::always, here, there)).isZero();
      drainsEvenly(5_000, 200);
    }

    @Test
    void of_a_partner_that_is_there_for_ten_seconds_and_away_for_ten() {
      var lane = bank(200);
      drain(50_000, Duration.ofMinutes(1), _ -> false, lane);
      drain(
          50_000,
          Duration.ofMinutes(2),
          at -> Duration.between(Story.START, at).toSeconds() / 10 % 2 == 1,
          lane);
      assertThat(mostInASecond()).isLessThanOrEqualTo(200);
      var bySecond = new int[120];
      for (long at : calls) bySecond[(int) (at / SECOND)] += 1;
      for (int ten = 0; ten < 120; ten += 20) {
        int away = 0;
        int there = 0;
        for (int i = 2; i < 10; i++) {
          away += bySecond[ten + i];
          there += bySecond[ten + 10 + i];
        }
        assertThat(away).as("trials while it is away").isLessThan(10);
        assertThat(there).as("calls while it is there").isGreaterThan(100);
      }
    }
  }

  @Test
  void limits_that_make_no_sense_are_refused() {
    var good = Lane.Settings.of("bank");
    assertThatIllegalArgumentException().isThrownBy(() -> good.perSecond(0));
    assertThatIllegalArgumentException().isThrownBy(() -> good.perSecond(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> good.concurrency(0));
  }
}
