package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
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

  private Action<String> notesThread(Queue<Thread> threads) {
    return (data, _) -> {
      threads.add(Thread.currentThread());
      return Outcome.done(data);
    };
  }

  @Test
  void the_thread_of_an_answer_does_what_follows_and_makes_the_next_call() throws Exception {
    var threads = new ConcurrentLinkedQueue<Thread>();
    make(
        "o1",
        notesThread(threads),
        _ ->
            calls.afterwards(
                () -> {
                  threads.add(Thread.currentThread());
                  make("o1", notesThread(threads), _ -> ended.countDown());
                }));
    ended.await();
    assertThat(threads).hasSize(3);
    assertThat(threads.stream().distinct()).singleElement().matches(Thread::isVirtual);
    assertThat(calls.underWay()).isZero();
  }

  @Test
  void what_follows_from_no_answer_has_a_thread_which_makes_the_first_call_that_comes_of_it()
      throws Exception {
    var threads = new ConcurrentLinkedQueue<Thread>();
    var other = new CompletableFuture<Thread>();
    calls.afterwards(
        () -> {
          threads.add(Thread.currentThread());
          make(
              "o1",
              notesThread(threads),
              _ ->
                  calls.afterwards(() -> make("o1", notesThread(threads), _ -> ended.countDown())));
          make("o2", answers(Outcome.done("")), _ -> other.complete(Thread.currentThread()));
        });
    ended.await();
    assertThat(threads).hasSize(3).doesNotContain(Thread.currentThread(), get(other));
    assertThat(threads.stream().distinct()).singleElement().matches(Thread::isVirtual);
    assertThat(threads.peek().getName()).isEqualTo("o1");
  }

  @Test
  void what_our_own_store_throws_and_an_error_of_the_program_are_nobody_elses_doubt()
      throws Exception {
    var lost = new StoreException(StoreException.Kind.UNKNOWN, "note a charge", null);
    assertThat(doubtAfter(lost)).isEqualTo(Outcome.Doubt.OURS);
    assertThat(doubtAfter(new StackOverflowError())).isEqualTo(Outcome.Doubt.OURS);
    assertThat(doubtAfter(new InternalError())).isEqualTo(Outcome.Doubt.OURS);
    assertThat(doubtAfter(new IOException("reset"))).isEqualTo(Outcome.Doubt.NO_ANSWER);
  }

  private Outcome.Doubt doubtAfter(Throwable surprise) throws Exception {
    var outcome = new CompletableFuture<Outcome<String>>();
    Action<String> throwing =
        (_, _) -> {
          if (surprise instanceof Exception exception) throw exception;
          throw (Error) surprise;
        };
    make("o1", throwing, outcome::complete);
    return ((Outcome.Unclear<String>) get(outcome)).doubt();
  }

  @Test
  void nothing_of_whoever_begins_it_is_seen_by_a_call() throws Exception {
    var user = new InheritableThreadLocal<String>();
    var loader = Thread.currentThread().getContextClassLoader();
    var seen = new ConcurrentLinkedQueue<Object>();
    Action<String> looks =
        (data, _) -> {
          seen.add(Objects.requireNonNullElse(user.get(), "nobody"));
          seen.add(Thread.currentThread().getContextClassLoader());
          return Outcome.done(data);
        };
    var both = new CountDownLatch(2);
    var request =
        Thread.ofPlatform()
            .start(
                () -> {
                  user.set("alice");
                  Thread.currentThread()
                      .setContextClassLoader(ClassLoader.getPlatformClassLoader());
                  make("o1", looks, _ -> both.countDown());
                  calls.afterwards(() -> make("o2", looks, _ -> both.countDown()));
                });
    request.join();
    both.await();
    assertThat(seen).containsExactlyInAnyOrder("nobody", "nobody", loader, loader);
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
  void who_waits_for_a_task_or_has_one_already_leaves_it_to_another_thread() throws Exception {
    make(
        "o1",
        (data, _) -> {
          waitForTask(); // authors' code may wait for what it starts
          return Outcome.done(data);
        },
        _ -> {
          calls.afterwards(
              () -> {
                waitForTask();
                ended.countDown();
              });
          waitForTask();
        });
    ended.await();
  }

  private void waitForTask() {
    var done = new CountDownLatch(1);
    calls.afterwards(done::countDown);
    waitFor(done);
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
