package dev.tuntas.adapters.bus;

import static dev.tuntas.bus.Message.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bus.Attempts.Patience;
import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.DeadLetter;
import dev.tuntas.bus.DeadMessage;
import dev.tuntas.bus.DeadMessages;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.NotNow;
import dev.tuntas.bus.Refused;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What every bus promises.
@Timeout(60)
abstract class BusContract {

  static final Patience QUICK = new Patience(3, Duration.ofMillis(5), Duration.ofMillis(20));
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long BETWEEN = Duration.ofMillis(2).toNanos();
  private static final AtomicLong COUNT = new AtomicLong(System.currentTimeMillis());

  /// Fresh names for each test: brokers remember.
  final String kind = "kind." + COUNT.incrementAndGet();

  final String queue = "queue-" + COUNT.incrementAndGet();
  private final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
  final Counting counts = new Counting();
  Bus bus;

  abstract Bus open(BusWatch watch) throws Exception;

  /// The dead letters of a queue that listens to this kind; waits for so many.
  abstract List<Message> dead(String ofQueue, String ofKind, int wanted) throws Exception;

  /// Puts something among the dead letters of a queue that listens to this kind, past the bus.
  void putDead(String ofQueue, String ofKind, Map<String, byte[]> headers, byte[] body)
      throws Exception {
    Assumptions.abort("Nobody but the bus can do so.");
  }

  /// Waits until so many subscriptions share a queue. Where they do so at once there is nothing to
  /// wait for.
  void untilShared(String ofQueue, int subscriptions) throws Exception {}

  static void until(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime()).as("it does not happen").isLessThan(end);
      LockSupport.parkNanos(BETWEEN);
    }
  }

  static final class Counting implements BusWatch {
    final Map<Result, Integer> results = new ConcurrentHashMap<>();

    @Override
    public void consumed(Result result) {
      results.merge(result, 1, Integer::sum);
    }
  }

  @BeforeEach
  void openBus() throws Exception {
    bus = open(counts);
  }

  @AfterEach
  void closeBus() {
    bus.close();
  }

  Message next() throws InterruptedException {
    var message = heard.poll(30, TimeUnit.SECONDS);
    assertThat(message).as("a message").isNotNull();
    return message;
  }

  List<String> nextIds(int count) throws InterruptedException {
    var ids = new ArrayList<String>();
    for (int i = 0; i < count; i++) ids.add(next().id());
    return ids;
  }

  List<Message> some(int count, String key) {
    var messages = new ArrayList<Message>();
    for (int i = 0; i < count; i++)
      messages.add(event(key + "/" + i, kind, key, "{\"n\":" + i + "}"));
    return messages;
  }

  static List<String> ids(List<Message> messages) {
    return messages.stream().map(Message::id).toList();
  }

  @Test
  void what_is_sent_arrives_as_it_was() throws Exception {
    bus.listen(queue, Set.of(kind), heard::add);
    var sent =
        new Message(
            "ord_1/1/0", kind, "ord_1", "{\"é\":\"😀\"}", Map.of("traceparent", "00-1"), true);
    bus.send(List.of(sent));

    assertThat(next()).isEqualTo(sent);
  }

  @Test
  void messages_of_one_key_arrive_in_the_order_in_which_they_were_sent() throws Exception {
    bus.listen(queue, Set.of(kind), heard::add);
    for (int i = 0; i < 20; i++) {
      for (int key = 0; key < 5; key++) {
        bus.send(List.of(event("k" + key + "/" + i, kind, "k" + key, "{}")));
      }
    }

    var byKey = new HashMap<String, List<Integer>>();
    for (int i = 0; i < 100; i++) {
      var id = next().id().split("/");
      byKey.computeIfAbsent(id[0], _ -> new ArrayList<>()).add(Integer.valueOf(id[1]));
    }
    assertThat(byKey).hasSize(5);
    byKey.values().forEach(order -> assertThat(order).hasSize(20).isSorted());
  }

  @Test
  void every_queue_hears_everything_and_its_subscriptions_share_it() throws Exception {
    bus.listen(queue, Set.of(kind), heard::add);
    bus.listen(queue, Set.of(kind), heard::add);
    var others = new LinkedBlockingQueue<Message>();
    bus.listen(queue + "-other", Set.of(kind), others::add);
    untilShared(queue, 2);
    for (int i = 0; i < 30; i++) bus.send(some(1, "key-" + i));

    var here = new ArrayList<String>();
    for (int i = 0; i < 30; i++) here.add(next().key());
    assertThat(here).doesNotHaveDuplicates();
    for (int i = 0; i < 30; i++) assertThat(others.poll(30, TimeUnit.SECONDS)).isNotNull();
    assertThat(heard).isEmpty();
  }

  @Test
  void a_refused_message_in_the_middle_is_a_dead_letter_at_once_and_holds_up_nobody()
      throws Exception {
    var tries = new AtomicInteger();
    bus.listen(
        queue,
        Set.of(kind),
        message -> {
          if (message.id().equals("a/1")) {
            tries.incrementAndGet();
            throw new Refused("It makes no sense.");
          }
          heard.add(message);
        });
    bus.send(some(3, "a"));

    assertThat(nextIds(2)).containsExactly("a/0", "a/2");
    var dead = dead(queue, kind, 1);
    assertThat(ids(dead)).containsExactly("a/1");
    assertThat(dead.getFirst().body()).isEqualTo("{\"n\":1}");
    assertThat(dead.getFirst().key()).isEqualTo("a");
    assertThat(dead.getFirst().headers())
        .containsEntry(DeadLetter.REASON, "It makes no sense.")
        .containsEntry(DeadLetter.QUEUE, queue);
    assertThat(tries).hasValue(1);
    assertThat(counts.results).containsEntry(BusWatch.Result.DEAD, 1);
  }

  @Test
  void dead_letters_are_handed_to_their_keeper_and_wait_for_one_who_cannot_take_them()
      throws Exception {
    var kept = new LinkedBlockingQueue<DeadMessage>();
    var tries = new AtomicInteger();
    bus.listen(
        queue,
        Set.of(kind),
        _ -> {
          throw new Refused("It makes no sense.");
        });
    var sent = Message.command("a/0", kind, "a", "{\"n\":0}");
    bus.send(List.of(sent));
    bus.collect(
        queue,
        Set.of(kind),
        dead -> {
          if (tries.incrementAndGet() < 2) throw new IllegalStateException("not now");
          kept.add(dead);
        });

    var dead = kept.poll(30, TimeUnit.SECONDS);
    assertThat(dead).as("a dead letter").isNotNull();
    assertThat(dead.message()).isEqualTo(sent);
    assertThat(dead.queue()).isEqualTo(queue);
    assertThat(dead.reason()).isEqualTo("It makes no sense.");
    assertThat(dead.attempts()).isEqualTo(1);
  }

  @Test
  void a_dead_letter_that_is_poison_does_not_stop_its_collector(@TempDir Path data)
      throws Exception {
    var broken = new byte[] {(byte) 0xff, 0, 1};
    var far = Utf8.bytes("+1000000000-12-31T23:59:59Z");
    putDead(queue, kind, Map.of("id", Utf8.bytes("1"), DeadLetter.AT, far), Utf8.bytes("{}"));
    putDead(queue, kind, Map.of("id", Utf8.bytes("2"), "traceparent", broken), broken);
    putDead(queue, kind, Map.of("id", broken, DeadLetter.ATTEMPTS, broken), new byte[0]);
    putDead(queue, kind, Map.of("id", Utf8.bytes("4")), Utf8.bytes("{}"));

    try (var tables = Tables.sqlite(data, MessageBook.TABLES);
        var _ = DeadMessages.collect(bus, queue, Set.of(kind), tables)) {
      var dead = new DeadMessages();
      until(() -> tables.<Long>read("count", dead::count) == 4);
    }
  }

  @Test
  void what_fails_is_tried_again_before_anything_later_of_its_key() throws Exception {
    var tries = new AtomicInteger();
    bus.listen(
        queue,
        Set.of(kind),
        message -> {
          if (message.id().equals("a/0") && tries.incrementAndGet() < 3) {
            throw new IllegalStateException("not yet");
          }
          heard.add(message);
        });
    bus.send(some(3, "a"));

    assertThat(nextIds(3)).containsExactly("a/0", "a/1", "a/2");
    assertThat(tries).hasValue(3);
  }

  @Test
  void what_fails_again_and_again_is_a_dead_letter_with_its_reason() throws Exception {
    bus.listen(
        queue,
        Set.of(kind),
        message -> {
          if (message.id().equals("a/0")) throw new IllegalStateException("never");
          heard.add(message);
        });
    bus.send(some(2, "a"));

    assertThat(nextIds(1)).containsExactly("a/1");
    var dead = dead(queue, kind, 1).getFirst();
    assertThat(dead.id()).isEqualTo("a/0");
    assertThat(dead.headers().get(DeadLetter.REASON)).contains("never");
    assertThat(dead.headers()).containsEntry(DeadLetter.ATTEMPTS, "3");
  }

  @Test
  void a_handler_that_cannot_work_for_a_long_time_loses_nothing() throws Exception {
    var tries = new AtomicInteger();
    bus.listen(
        queue,
        Set.of(kind),
        message -> {
          if (tries.incrementAndGet() <= 10) throw new NotNow("the database is away", null);
          heard.add(message);
        });
    bus.send(some(3, "a"));

    assertThat(nextIds(3)).containsExactly("a/0", "a/1", "a/2");
    assertThat(counts.results).doesNotContainKey(BusWatch.Result.DEAD);
  }

  @Test
  void what_was_not_finished_comes_again_to_whoever_listens_next() throws Exception {
    var tried = new LinkedBlockingQueue<Message>();
    var first =
        bus.listen(
            queue,
            Set.of(kind),
            message -> {
              tried.add(message);
              throw new NotNow("crashes between its effect and saying so", null);
            });
    bus.send(some(2, "a"));
    assertThat(tried.poll(30, TimeUnit.SECONDS)).isNotNull();
    first.close();

    bus.listen(queue, Set.of(kind), heard::add);
    assertThat(nextIds(2)).containsExactly("a/0", "a/1");
  }

  @Test
  void a_subscription_takes_nothing_while_it_is_paused() throws Exception {
    var controls = new LinkedBlockingQueue<Message>();
    var paused = bus.listen(queue, Set.of(kind), heard::add);
    bus.listen(queue + "-control", Set.of(kind), controls::add);
    bus.send(some(1, "before"));
    next();
    assertThat(controls.poll(30, TimeUnit.SECONDS)).isNotNull();

    paused.pause();
    bus.send(some(1, "a"));
    assertThat(controls.poll(30, TimeUnit.SECONDS)).isNotNull();
    assertThat(heard).isEmpty();

    paused.resume();
    assertThat(nextIds(1)).containsExactly("a/0");
  }

  @Test
  void hints_come_together_and_what_fails_is_forgotten() throws Exception {
    var failed = new LinkedBlockingQueue<Message>();
    bus.overhear(
        queue,
        Set.of(kind),
        hints -> {
          if (hints.getFirst().key().equals("bad")) {
            failed.addAll(hints);
            throw new IllegalStateException("not heard");
          }
          heard.addAll(hints);
        });
    bus.send(some(1, "bad"));
    assertThat(failed.poll(30, TimeUnit.SECONDS)).isNotNull();
    bus.send(some(3, "good"));

    assertThat(nextIds(3)).containsExactly("good/0", "good/1", "good/2");
    assertThat(failed).isEmpty();
  }
}
