package dev.tuntas.saga;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  private static final int ROUNDS = 10_000;

  private static RetryPolicy drawn(SplittableRandom random) {
    var initial = random.nextLong(0, 10_000);
    var policy =
        new RetryPolicy(
            random.nextInt(1, 20),
            ofMillis(initial),
            1 + random.nextDouble() * 3,
            ofMillis(initial + random.nextLong(0, 100_000)),
            0,
            1,
            ofSeconds(random.nextLong(0, 100_000)));
    return random.nextBoolean() ? policy : policy.jitter(random.nextDouble());
  }

  /// What the wait would be without jitter: the formula of the documents, written another way.
  private static double unjittered(RetryPolicy policy, int n) {
    double interval = policy.initial().toMillis();
    double max = policy.intervalMax().toMillis();
    for (int i = 1; i < n && interval < max; i++) interval *= policy.multiplier();
    return Math.min(interval, max);
  }

  @Test
  void every_wait_lies_within_its_jitter_of_the_capped_interval() {
    var random = new SplittableRandom(1);
    for (int round = 0; round < ROUNDS; round++) {
      var policy = drawn(random);
      int n = random.nextInt(1, 300);
      double base = unjittered(policy, n);
      double wait = policy.after(n, random.nextLong()).toMillis();
      assertThat(wait)
          .as("%s after %d", policy, n)
          .isBetween(base * policy.least() - 1, base * policy.most() + 1);
    }
  }

  @Test
  void a_slow_growth_reaches_its_cap_as_well() {
    var policy =
        RetryPolicy.patient().intervals(ofSeconds(1), ofSeconds(60)).multiplier(1.02).jitter(0);
    assertThat(policy.after(300, 1)).isEqualTo(ofSeconds(60));
  }

  @Test
  void without_jitter_the_intervals_are_those_of_the_documents() {
    var policy = RetryPolicy.patient().jitter(0);
    var waits = IntStream.rangeClosed(1, 8).mapToObj(n -> policy.after(n, 7).toSeconds());
    assertThat(waits).containsExactly(2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    var undo = RetryPolicy.compensation().jitter(0);
    var undoWaits = IntStream.rangeClosed(1, 7).mapToObj(n -> undo.after(n, 7).toSeconds());
    assertThat(undoWaits).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
  }

  @Test
  void the_growth_takes_the_unjittered_value() {
    var policy = RetryPolicy.patient().jitter(0.3);
    for (long salt = 0; salt < ROUNDS; salt++) {
      for (int n = 1; n <= 5; n++) {
        double share = policy.after(n, salt).toMillis() / (2_000.0 * (1 << (n - 1)));
        assertThat(share).isBetween(0.699, 1.301); // a jittered base would leave these bounds
      }
    }
  }

  @Test
  void those_who_failed_together_come_back_spread_over_the_whole_interval() {
    var policy = RetryPolicy.patient();
    var tenths = new int[10];
    for (int saga = 0; saga < ROUNDS; saga++) {
      tenths[(int) Math.min(9, policy.after(3, saga * 131L).toMillis() / 800)]++; // of 8 s
    }
    for (int count : tenths) assertThat(count).isCloseTo(ROUNDS / 10, within(150));
    assertThat(policy.jitter(0.3).fullJitter()).isEqualTo(policy);
  }

  @Test
  void the_same_salt_gives_the_same_wait() {
    var random = new SplittableRandom(2);
    for (int round = 0; round < ROUNDS; round++) {
      var policy = drawn(random);
      int n = random.nextInt(1, 100);
      long salt = random.nextLong();
      assertThat(policy.after(n, salt)).isEqualTo(policy.after(n, salt));
    }
  }

  @Test
  void neighbouring_salts_are_spread_evenly() {
    var policy = RetryPolicy.patient().jitter(1).intervals(ofSeconds(50), ofSeconds(50));
    var tenths = new int[10];
    LongStream.range(0, ROUNDS)
        .map(salt -> policy.after(1, salt).toMillis())
        .forEach(millis -> tenths[(int) Math.min(9, millis / 10_000)]++);
    for (int count : tenths) assertThat(count).isCloseTo(ROUNDS / 10, within(150));
  }

  @Test
  void the_attempts_of_one_saga_are_spread_as_well() {
    var policy = RetryPolicy.patient().intervals(ofSeconds(50), ofSeconds(50));
    var waits = IntStream.rangeClosed(1, 20).mapToObj(n -> policy.after(n, 42)).distinct();
    assertThat(waits.count()).isGreaterThan(15);
  }

  @Test
  void no_wait_is_negative_and_no_number_of_attempts_overflows() {
    var random = new SplittableRandom(3);
    for (int round = 0; round < ROUNDS; round++) {
      var policy = drawn(random);
      for (int n : List.of(1, 64, 65, 10_000, Integer.MAX_VALUE)) {
        assertThat(policy.after(n, random.nextLong())).isBetween(ZERO, ofSeconds(220));
      }
    }
    assertThat(RetryPolicy.patient().intervals(ZERO, ZERO).after(100_000, 1)).isEqualTo(ZERO);
  }

  @Test
  void a_policy_that_makes_no_sense_is_refused() {
    var good = RetryPolicy.patient();
    refused(() -> good.attempts(0), "at least one attempt is needed");
    refused(() -> good.intervals(ofSeconds(-1), ofSeconds(1)), "intervals must grow from PT-1S");
    refused(() -> good.intervals(ofSeconds(2), ofSeconds(1)), "intervals must grow from PT2S");
    refused(() -> good.multiplier(0.5), "multiplier must be at least 1");
    refused(() -> good.multiplier(Double.NaN), "multiplier must be at least 1");
    refused(() -> good.jitter(-0.1), "jitter must be between 0 and 1");
    refused(() -> good.jitter(1.1), "jitter must be between 0 and 1");
    refused(() -> good.jitter(Double.NaN), "jitter must be between 0 and 1");
    refused(() -> good.within(Duration.ofNanos(-1)), "elapsedMax is negative");
  }

  private static void refused(Runnable making, String sentence) {
    assertThatIllegalArgumentException().isThrownBy(making::run).withMessageStartingWith(sentence);
  }

  @Test
  void an_optional_step_gets_three_attempts_unless_it_says_otherwise() {
    assertThat(Sample.call("a").optional().retry().attemptsMax()).isEqualTo(3);
    assertThat(Sample.call("a").retry(RetryPolicy.once()).optional().retry().canRepeat()).isFalse();
    var seven = Sample.call("a").optional().retry(RetryPolicy.patient().attempts(7));
    assertThat(seven.retry().attemptsMax()).isEqualTo(7);
  }
}
