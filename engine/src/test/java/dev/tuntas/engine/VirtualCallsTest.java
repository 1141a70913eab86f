package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualCallsTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final VirtualCalls calls = new VirtualCalls();
  private final Queue<String> told = new ConcurrentLinkedQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  private void make(String sagaId, Action<String> action, Consumer<Outcome<String>> report) {
    make(sagaId, LONG, action, report);
  }

  private void make(
      String sagaId, Duration timeout, Action<String> action, Consumer<Outcome<String>> report) {
    var call = new Call(sagaId, "pay", "charge-" + sagaId, 1, timeout);
    var queue = new Next.Queue("", Next.Rank.ACT, Instant.MAX);
    calls.make(new Next.Make(Next.Direction.DO, call, queue), action, "data", report);
  }

  private Action<String> tells(String what) {
    return (data, _) -> {
      told.add(what);
      return Outcome.done(data);
    };
  }

  private static Action<String> answers(Outcome<String> outcome) {
    return (_, _) -> outcome;
  }

  /// Has a task done after a call of `o1` was answered.
  private void afterAnAnswer(Runnable task) {
    make("o1", answers(Outcome.done("")), _ -> calls.afterwards(task));
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(10, TimeUnit.SECONDS);
  }

  @Test
  void the_thread_of_an_answer_does_what_follows_and_makes_the_next_call() throws Exception {
    var threads = new ConcurrentLinkedQueue<Thread>();
    make(
        "o1",
        (data, _) -> {
          threads.add(Thread.currentThread());
          return Outcome.done(data);
        },
        _ -> {
          Runnable task =
              () -> {
                threads.add(Thread.currentThread());
                make(
                    "o1",
                    (data, _) -> {
                      threads.add(Thread.currentThread());
                      return Outcome.done(data);
                    },
                    _ -> ended.countDown());
              };
          assertThat(calls.afterwards(task)).isTrue();
        });
    ended.await();
    assertThat(threads).hasSize(3);
    assertThat(threads.stream().distinct()).singleElement().matches(Thread::isVirtual);
    assertThat(calls.underWay()).isZero();
  }

  @Test
  void a_call_never_waits_behind_what_follows_an_answer() throws Exception {
    var second = new CountDownLatch(1);
    make(
        "o1",
        answers(Outcome.done("")),
        _ -> {
          // Both come of one answer: a decision that needs no write, and one that does.
          make("o1", answers(Outcome.done("")), _ -> second.countDown());
          calls.afterwards(
              () -> {
                waitFor(second);
                ended.countDown();
              });
        });
    ended.await();
  }

  @Test
  void the_call_of_another_saga_has_a_thread_of_its_own() throws Exception {
    var other = new CountDownLatch(1);
    afterAnAnswer(
        () -> {
          make("o2", answers(Outcome.done("")), _ -> other.countDown());
          waitFor(other);
          ended.countDown();
        });
    ended.await();
  }

  @Test
  void only_an_answer_that_is_heard_has_something_that_follows() throws Exception {
    var taken = new ConcurrentLinkedQueue<Boolean>();
    Runnable never = () -> told.add("never");
    taken.add(calls.afterwards(never));
    make(
        "o1",
        (data, _) -> {
          taken.add(calls.afterwards(never)); // authors' code may wait for what it starts
          return Outcome.done(data);
        },
        _ -> {
          calls.afterwards(
              () -> {
                taken.add(calls.afterwards(never));
                ended.countDown();
              });
          taken.add(calls.afterwards(never)); // it has one already
        });
    ended.await();
    assertThat(taken).containsExactly(false, false, false, false);
    assertThat(told).isEmpty();
  }

  @Test
  void what_interrupted_a_call_interrupts_nothing_else() throws Exception {
    var interrupted = new CompletableFuture<Boolean>();
    var next = new CompletableFuture<Boolean>();
    make(
        "o1",
        (data, _) -> {
          Thread.currentThread().interrupt();
          return Outcome.done(data);
        },
        _ ->
            calls.afterwards(
                () -> {
                  interrupted.complete(Thread.currentThread().isInterrupted());
                  callThatTells(next);
                }));
    assertThat(get(interrupted)).isFalse();
    assertThat(get(next)).isFalse();
  }

  /// Whether it is made by an interrupted thread.
  private void callThatTells(CompletableFuture<Boolean> interrupted) {
    make(
        "o1",
        (data, _) -> {
          interrupted.complete(Thread.currentThread().isInterrupted());
          return Outcome.done(data);
        },
        _ -> {});
  }

  @Test
  void who_was_interrupted_while_writing_makes_the_next_call_undisturbed() throws Exception {
    var next = new CompletableFuture<Boolean>();
    afterAnAnswer(
        () -> {
          callThatTells(next);
          Thread.currentThread().interrupt(); // a watchdog of the call before
        });
    assertThat(get(next)).isFalse();
  }

  @Test
  void a_next_call_is_made_also_if_something_else_went_wrong() throws Exception {
    afterAnAnswer(
        () -> {
          make("o1", answers(Outcome.done("")), _ -> ended.countDown());
          throw new AssertionError("a listener's mistake");
        });
    ended.await();
  }

  @Test
  void what_follows_is_done_also_if_the_answer_could_not_be_heard() throws Exception {
    make(
        "o1",
        answers(Outcome.done("")),
        _ -> {
          calls.afterwards(ended::countDown);
          throw new IllegalStateException("a bug");
        });
    ended.await();
  }

  @Test
  void a_call_that_was_given_up_before_it_began_is_not_made() throws Exception {
    var thread = new CompletableFuture<Thread>();
    var given = new CompletableFuture<Outcome<String>>();
    afterAnAnswer(
        () -> {
          make("o1", Duration.ZERO, tells("made"), given::complete);
          calls.expire();
          thread.complete(Thread.currentThread());
        });
    get(thread).join();
    assertThat(get(given)).isInstanceOf(Outcome.Unclear.class);
    assertThat(told).isEmpty();
  }

  @Test
  void a_call_that_takes_too_long_is_doubt_and_its_late_answer_is_not_heard() throws Exception {
    var begun = new CompletableFuture<Thread>();
    var stuck = new CountDownLatch(1);
    var heard = new ConcurrentLinkedQueue<Outcome<String>>();
    make(
        "o1",
        Duration.ofNanos(1),
        (data, _) -> {
          begun.complete(Thread.currentThread());
          waitFor(stuck); // told to stop, it answers all the same
          return Outcome.done(data);
        },
        heard::add);
    var thread = get(begun);
    calls.expire();
    thread.join();
    assertThat(heard).singleElement().isInstanceOf(Outcome.Unclear.class);
    assertThat(calls.underWay()).isZero();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
