package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class GateTest {

  private static final Duration BURST = Duration.ofMillis(100);

  private record Timer(long at, Runnable task) {}

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
  private final List<Long> left = new ArrayList<>();
  private double perSecond = 90;
  private long nanos = Long.MAX_VALUE - 5_000_000_000L; // it runs over during these tests

  private final Gate gate =
      new Gate(
          () -> perSecond,
          BURST,
          (wait, task) -> timers.add(new Timer(nanos + wait.toNanos() - start(), task)),
          () -> nanos);

  private static long start() {
    return Long.MAX_VALUE - 5_000_000_000L;
  }

  private long time() {
    return nanos - start();
  }

  private void pass(int calls) {
    for (int i = 0; i < calls; i++) gate.pass(() -> left.add(time()));
  }

  private void run(Duration span) {
    long end = time() + span.toNanos();
    while (!timers.isEmpty() && timers.peek().at <= end) {
      var next = timers.remove();
      nanos = start() + Math.max(time(), next.at);
      next.task.run();
    }
    nanos = start() + end;
  }

  private int mostInASecond() {
    int most = 0;
    for (var begin : left) {
      int within = 0;
      for (var at : left) if (at >= begin && at - begin < 1_000_000_000L) within++;
      most = Math.max(most, within);
    }
    return most;
  }

  @Test
  void many_at_once_leave_at_the_pace() {
    pass(500);
    assertThat(left).as("a tenth of a second at once").hasSizeBetween(9, 10);
    run(Duration.ofSeconds(3));
    assertThat(left.size()).isBetween(255, 281);
    run(Duration.ofSeconds(4));
    assertThat(left).hasSize(500);
    assertThat(mostInASecond()).isLessThanOrEqualTo(100);
  }

  @Test
  void nobody_overtakes() {
    var order = new ArrayList<Integer>();
    for (int i = 0; i < 50; i++) {
      int no = i;
      gate.pass(() -> order.add(no));
      run(Duration.ofMillis(2));
    }
    run(Duration.ofSeconds(2));
    assertThat(order).isSorted().hasSize(50);
  }

  @Test
  void a_call_that_throws_keeps_nobody_behind_it_waiting() {
    pass(15);
    gate.pass(
        () -> {
          throw new IllegalStateException("a bug");
        });
    pass(5);
    assertThatThrownBy(() -> run(Duration.ofSeconds(1))).hasMessage("a bug");
    run(Duration.ofSeconds(1));
    assertThat(left).hasSize(20);
  }

  @Test
  void a_process_that_stood_still_does_not_make_up_for_it() {
    pass(300);
    run(Duration.ofSeconds(1));
    int before = left.size();
    nanos += Duration.ofSeconds(10).toNanos(); // every timer is overdue
    run(Duration.ofSeconds(1));
    assertThat(left.size() - before).isLessThanOrEqualTo(100);
    assertThat(mostInASecond()).isLessThanOrEqualTo(100);
  }

  @Test
  void without_a_limit_everybody_leaves_at_once() {
    perSecond = Double.POSITIVE_INFINITY;
    pass(1_000);
    assertThat(left).hasSize(1_000);
    assertThat(timers).isEmpty();
  }

  @Test
  void a_new_pace_counts_from_then_on() {
    pass(200);
    run(Duration.ofSeconds(1));
    int before = left.size();
    perSecond = 45;
    run(Duration.ofSeconds(1));
    assertThat(left.size() - before).isBetween(40, 47);
  }
}
