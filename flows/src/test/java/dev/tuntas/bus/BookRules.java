package dev.tuntas.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.bus.MessageBook.Expiry;
import dev.tuntas.bus.MessageBook.Status;
import dev.tuntas.engine.StoreException;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the book, its relay and the timeout worker promise, whatever the database.
abstract class BookRules {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final TestClock clock = new TestClock();
  private final MessageBook book = new MessageBook();
  private final SpyBus bus = new SpyBus();
  private Tables tables;
  private MessageRelay relay;
  private TimeoutWorker worker;

  abstract Tables open();

  @BeforeEach
  void begin() {
    tables = open();
    relay = relay("one");
    worker = new TimeoutWorker(tables, book, BusWatch.NONE, clock);
  }

  @AfterEach
  void end() {
    tables.close();
  }

  private MessageRelay relay(String holder) {
    return new MessageRelay(tables, book, bus, clock, holder, Duration.ofDays(1));
  }

  /// A broker that takes what it is told to, and remembers it.
  private static final class SpyBus implements Bus {
    final Collection<Message> took = new ConcurrentLinkedQueue<>();
    final AtomicBoolean away = new AtomicBoolean();
    final AtomicBoolean losesConfirms = new AtomicBoolean();
    volatile Set<String> unheard = Set.of();
    volatile Set<String> placeless = Set.of();
    volatile Consumer<List<Message>> meanwhile = _ -> {};

    @Override
    public void send(List<Message> messages) throws BusAwayException, UnsentException {
      meanwhile.accept(messages);
      if (away.get()) throw BusAwayException.unreached("away", null);
      var refused = new HashMap<String, String>();
      for (var message : messages) {
        if (unheard.contains(message.kind())) refused.put(message.id(), "nobody listens");
        else if (!placeless.contains(message.kind())) took.add(message);
      }
      if (losesConfirms.get()) throw new BusAwayException("killed before it confirmed", null);
      var kinds = new HashSet<String>();
      for (var message : messages)
        if (placeless.contains(message.kind())) kinds.add(message.kind());
      if (refused.isEmpty() && kinds.isEmpty()) return;
      throw new UnsentException(Map.copyOf(refused), Set.copyOf(kinds));
    }

    List<String> ids() {
      return took.stream().map(Message::id).toList();
    }

    @Override
    public Subscription listen(String queue, Set<String> kinds, Handler handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Subscription overhear(String queue, Set<String> kinds, Consumer<List<Message>> hearer) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Subscription collect(String queue, Set<String> kinds, Consumer<DeadMessage> keeper) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void prepare(Set<String> kinds) throws BusAwayException {
      ping();
    }

    @Override
    public void ping() throws BusAwayException {
      if (away.get()) throw BusAwayException.unreached("away", null);
    }

    @Override
    public void close() {}
  }

  private void put(Message message) {
    put(message, null);
  }

  private void put(Message message, Expiry expiry) {
    tables.write("put", session -> book.put(session, message, expiry, clock.instant()));
  }

  private static Message event(String key, int n) {
    return Message.event(key + "/" + n, "order.moved", key, "{}");
  }

  private static Message reserve(String key) {
    return Message.command("RESERVE/" + key, "RESERVE", key, "{}");
  }

  private Expiry inAMinute() {
    return new Expiry(clock.instant().plus(MINUTE), "RELEASE", "{\"instead\":1}");
  }

  private Status status(String id) {
    return tables.read("look", session -> book.standing(session, id)).orElseThrow().status();
  }

  private void drain() throws BusAwayException {
    while (relay.relay() > 0) {
      // until there is nothing
    }
  }

  @Test
  void what_is_committed_goes_out_once_in_order_with_its_trace() throws Exception {
    var traced =
        new Message("a/0", "order.moved", "a", "{}", Map.of(CloudEvent.TRACE, "00-1"), false);
    put(traced);
    put(event("a", 1));
    put(event("a", 1));
    put(event("b", 0));
    drain();

    assertThat(bus.ids()).containsExactly("a/0", "a/1", "b/0");
    assertThat(bus.took).contains(traced);
    assertThat(status("a/1")).isEqualTo(Status.PUBLISHED);
  }

  @Test
  void what_is_rolled_back_never_goes_out() throws Exception {
    assertThatThrownBy(
            () ->
                tables.write(
                    "fail",
                    session -> {
                      book.put(session, event("a", 0), null, clock.instant());
                      throw new IllegalStateException("changed my mind");
                    }))
        .isInstanceOf(IllegalStateException.class);
    drain();

    assertThat(bus.took).isEmpty();
  }

  @Test
  void while_the_broker_is_away_everything_waits_and_then_goes_out_in_order() throws Exception {
    bus.away.set(true);
    for (int i = 0; i < 5; i++) put(event("a", i));
    assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
    clock.pass(Duration.ofHours(3));
    bus.away.set(false);
    drain();

    assertThat(bus.ids()).containsExactly("a/0", "a/1", "a/2", "a/3", "a/4");
  }

  @Test
  void a_broker_killed_between_taking_and_confirming_gets_the_same_message_again()
      throws Exception {
    put(event("a", 0));
    bus.losesConfirms.set(true);
    assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
    bus.losesConfirms.set(false);
    drain();

    assertThat(bus.ids()).containsExactly("a/0", "a/0");
  }

  @Test
  void a_command_that_nobody_hears_holds_back_only_what_follows_it_of_its_key() throws Exception {
    bus.unheard = Set.of("RESERVE");
    put(reserve("a"), inAMinute());
    put(event("a", 1));
    put(event("b", 0));
    drain();
    assertThat(bus.ids()).containsExactly("b/0");

    bus.unheard = Set.of();
    clock.pass(Duration.ofSeconds(5));
    drain();
    assertThat(bus.ids()).containsExactly("b/0", "RESERVE/a", "a/1");
  }

  @Test
  void an_event_whose_topic_is_missing_waits_for_it_however_long_that_takes() throws Exception {
    bus.placeless = Set.of("order.moved");
    for (int i = 0; i < 3; i++) put(event("a", i));
    for (int i = 0; i < 100; i++) {
      drain();
      clock.pass(MINUTE);
    }
    assertThat(bus.took).isEmpty();
    assertThat(status("a/0")).isEqualTo(Status.PENDING);

    bus.placeless = Set.of();
    drain();
    assertThat(bus.ids()).containsExactly("a/0", "a/1", "a/2");
  }

  @Test
  void an_event_whose_topic_is_missing_holds_back_nothing_but_its_kind() throws Exception {
    bus.placeless = Set.of("order.moved");
    for (int i = 0; i <= MessageRelay.BATCH; i++) put(event("a", i));
    put(reserve("a"), inAMinute());
    put(Message.event("a/failed", "order.failed", "a", "{}"));
    drain();
    assertThat(bus.ids()).containsExactly("RESERVE/a", "a/failed");

    bus.placeless = Set.of();
    clock.pass(MINUTE);
    drain();
    assertThat(bus.took).hasSize(MessageRelay.BATCH + 3);
  }

  @Test
  void an_event_whose_topic_is_missing_expires_if_it_has_an_end() throws Exception {
    bus.placeless = Set.of("order.moved");
    put(event("a", 0), inAMinute());
    drain();
    clock.pass(MINUTE);
    assertThat(worker.expire()).isEqualTo(1);
    drain();

    assertThat(bus.ids()).containsExactly("a/0/instead");
  }

  @Test
  void a_message_past_its_time_never_goes_out_and_its_compensation_does() throws Exception {
    bus.away.set(true);
    put(reserve("a"), inAMinute());
    clock.pass(MINUTE);
    assertThat(worker.expire()).isEqualTo(1);
    assertThat(worker.expire()).isZero();
    bus.away.set(false);
    drain();

    assertThat(status("RESERVE/a")).isEqualTo(Status.FAILED);
    assertThat(bus.took)
        .containsExactly(
            new Message("RESERVE/a/instead", "RELEASE", "a", "{\"instead\":1}", Map.of(), true));
  }

  @Test
  void a_relay_that_comes_late_leaves_an_expired_message_to_the_timeout_worker() throws Exception {
    put(reserve("a"), inAMinute());
    clock.pass(MINUTE);
    drain();
    assertThat(bus.took).isEmpty();
  }

  @Test
  void a_message_that_may_be_under_way_does_not_expire() throws Exception {
    put(reserve("a"), inAMinute());
    bus.meanwhile =
        _ -> {
          clock.pass(MINUTE);
          assertThat(worker.expire()).isZero();
        };
    bus.losesConfirms.set(true);
    assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
    bus.meanwhile = _ -> {};
    bus.losesConfirms.set(false);
    assertThat(worker.expire()).isZero();
    drain();

    assertThat(status("RESERVE/a")).isEqualTo(Status.PUBLISHED);
    assertThat(bus.ids()).containsExactly("RESERVE/a", "RESERVE/a");
  }

  @Test
  void a_message_that_may_have_gone_out_does_not_expire_although_it_is_refused_later()
      throws Exception {
    put(reserve("a"), inAMinute());
    bus.losesConfirms.set(true);
    assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
    bus.losesConfirms.set(false);
    bus.unheard = Set.of("RESERVE");
    drain();
    clock.pass(MINUTE);

    assertThat(worker.expire()).isZero();
  }

  @Test
  void a_relay_that_reached_nobody_says_nothing_about_what_another_sent_meanwhile()
      throws Exception {
    var other = relay("other");
    put(reserve("a"), inAMinute());
    bus.meanwhile =
        _ -> {
          bus.meanwhile = _ -> {};
          clock.pass(Duration.ofSeconds(6));
          bus.losesConfirms.set(true);
          assertThatThrownBy(other::relay).isInstanceOf(BusAwayException.class);
          bus.away.set(true);
        };
    assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
    assertThat(bus.ids()).containsExactly("RESERVE/a");
    clock.pass(MINUTE);

    assertThat(worker.expire()).isZero();
  }

  @Test
  void a_command_that_certainly_did_not_go_out_expires_after_all() throws Exception {
    bus.unheard = Set.of("RESERVE");
    put(reserve("a"), inAMinute());
    drain();
    clock.pass(MINUTE);
    assertThat(worker.expire()).isEqualTo(1);
    drain();

    assertThat(bus.ids()).containsExactly("RESERVE/a/instead");
  }

  @Test
  void a_message_expires_while_the_broker_is_away_however_often_the_relay_tries() throws Exception {
    bus.away.set(true);
    put(reserve("a"), inAMinute());
    put(reserve("b"));
    for (int i = 0; i < 60; i++) {
      assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
      clock.pass(Duration.ofSeconds(1));
    }
    assertThat(worker.expire()).isEqualTo(1);
    bus.away.set(false);
    drain();

    assertThat(status("RESERVE/a")).isEqualTo(Status.FAILED);
    assertThat(bus.ids()).containsExactly("RESERVE/b", "RESERVE/a/instead");
  }

  @Test
  void what_waits_behind_a_message_that_may_be_under_way_expires() throws Exception {
    put(Message.command("RELEASE/a", "RELEASE", "a", "{}"));
    put(reserve("a"), inAMinute());
    bus.losesConfirms.set(true);
    assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
    clock.pass(MINUTE);

    assertThat(worker.expire()).isEqualTo(1);
  }

  @Test
  void what_waits_behind_a_refused_command_expires() throws Exception {
    bus.unheard = Set.of("RELEASE");
    put(Message.command("RELEASE/a", "RELEASE", "a", "{}"));
    put(reserve("a"), inAMinute());
    relay.relay();
    clock.pass(MINUTE);

    assertThat(worker.expire()).isEqualTo(1);
  }

  @Test
  void relay_and_timeout_worker_never_both_decide_about_a_message() throws Exception {
    int rounds = 40;
    int each = 10;
    var start = new CyclicBarrier(3);
    try (var threads = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < each; i++) {
          var soon = new Expiry(clock.instant().plusMillis(i), "RELEASE", "{}");
          put(reserve(round + "-" + i), soon);
        }
        var relaying = threads.submit(at(start, relay::relay));
        var expiring = threads.submit(at(start, worker::expire));
        start.await();
        clock.pass(Duration.ofMillis(each));
        relaying.get();
        expiring.get();
      }
    }
    clock.pass(MINUTE);
    worker.expire();
    drain();

    var ids = bus.ids();
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < each; i++) {
        var id = "RESERVE/" + round + "-" + i;
        assertThat(ids.contains(id)).isNotEqualTo(ids.contains(id + "/instead"));
      }
    }
    assertThat(ids).hasSize(rounds * each).doesNotHaveDuplicates();
  }

  private static Callable<Integer> at(CyclicBarrier start, Callable<Integer> work) {
    return () -> {
      start.await();
      return work.call();
    };
  }

  @Test
  void one_relay_has_the_turn_until_it_is_silent_or_gives_it_away() throws Exception {
    var other = relay("other");
    put(event("a", 0));
    assertThat(relay.relay()).isEqualTo(1);
    put(event("a", 1));
    assertThat(other.relay()).isZero();
    clock.pass(Duration.ofSeconds(6));
    assertThat(other.relay()).isEqualTo(1);
    put(event("a", 2));
    assertThat(relay.relay()).isZero();
    other.close();
    assertThat(relay.relay()).isEqualTo(1);
  }

  @Test
  void what_the_broker_refuses_again_and_again_is_a_dead_letter_that_can_be_revived()
      throws Exception {
    bus.unheard = Set.of("RELEASE");
    put(Message.command("RELEASE/a", "RELEASE", "a", "{}"));
    for (int i = 0; i < MessageRelay.ATTEMPTS_MAX; i++) {
      drain();
      clock.pass(Duration.ofMinutes(5));
    }
    var dead = tables.read("look", session -> book.dead(session, 10));
    assertThat(dead).hasSize(1);
    assertThat(dead.getFirst().error()).isEqualTo("nobody listens");
    assertThat(bus.took).isEmpty();

    bus.unheard = Set.of();
    assertThat(tables.<Boolean>write("revive", s -> book.revive(s, dead.getFirst().pos())))
        .isTrue();
    drain();
    assertThat(bus.ids()).containsExactly("RELEASE/a");
  }

  @Test
  void what_is_put_again_goes_out_again_and_only_once_while_it_waits() throws Exception {
    put(reserve("a"), inAMinute());
    drain();
    for (int i = 0; i < 2; i++) {
      tables.write(
          "again",
          session -> {
            book.putAgain(session, reserve("a"), clock.instant());
            return true;
          });
    }
    clock.pass(MINUTE);
    assertThat(worker.expire()).isZero();
    drain();

    assertThat(bus.ids()).containsExactly("RESERVE/a", "RESERVE/a");
  }

  @Test
  void what_was_published_is_forgotten_after_a_day_and_nothing_else() throws Exception {
    put(event("a", 0));
    drain();
    bus.away.set(true);
    put(event("a", 1));
    clock.pass(Duration.ofDays(1).plusSeconds(1));
    assertThat(relay.purge()).isFalse();

    var first = tables.read("look", session -> book.standing(session, "a/0"));
    assertThat(first).isEmpty();
    long waiting = tables.read("look", book::waiting);
    assertThat(waiting).isEqualTo(1);
  }

  @Test
  void many_keys_and_messages_keep_their_order() throws Exception {
    var wanted = new ArrayList<String>();
    for (int i = 0; i < 30; i++) {
      for (int key = 0; key < 40; key++) {
        put(
            i % 3 == 0
                ? Message.command("k" + key + "/" + i, "RELEASE", "k" + key, "{}")
                : event("k" + key, i));
      }
    }
    drain();
    assertThat(bus.took).hasSize(1_200);
    for (int key = 0; key < 40; key++) {
      var prefix = "k" + key + "/";
      wanted.clear();
      for (int i = 0; i < 30; i++) wanted.add(prefix + i);
      assertThat(bus.ids().stream().filter(it -> it.startsWith(prefix)))
          .containsExactlyElementsOf(wanted);
    }
  }

  private DeadMessage kept(DeadMessage dead) {
    DeadMessages.keep(tables, dead);
    DeadMessages.keep(tables, dead); // its broker may hand it out again
    var kept = tables.read("list", session -> new DeadMessages().list(session, 10));
    assertThat(kept).hasSize(1);
    return kept.getFirst().message();
  }

  private static DeadMessage dead(String id, String body, Map<String, String> headers) {
    return DeadMessage.of("queue", id, "RESERVE", "k", body, headers, true);
  }

  @Test
  void a_dead_letter_with_headers_that_make_no_sense_is_kept() {
    var kept =
        kept(
            dead(
                "id",
                "{}",
                Map.of(
                    CloudEvent.TRACE,
                    "00-\0-1",
                    DeadLetter.AT,
                    "+1000000000-12-31T23:59:59Z",
                    DeadLetter.ATTEMPTS,
                    "many",
                    DeadLetter.REASON,
                    "\0")));
    assertThat(kept.id()).isEqualTo("id");
    assertThat(kept.body()).isEqualTo("{}");
  }

  /// PostgreSQL has no room for such an id in an index; random, because it packs the others.
  @Test
  void a_dead_letter_that_cannot_be_kept_as_it_is_is_set_aside() {
    var random = new Random(1);
    var id = new StringBuilder();
    for (int i = 0; i < 20_000; i++) id.append((char) ('!' + random.nextInt(90)));
    var kept = kept(dead(id.toString(), "\ud83d\ude00".repeat(200_000), Map.of()));

    if (kept.id().contentEquals(id)) return; // SQLite has
    assertThat(kept.id()).startsWith("set-aside/");
    assertThat(kept.reason()).contains("could not be kept");
    assertThat(kept.body()).startsWith("\ud83d\ude00").hasSizeLessThan(100_000);
    assertThatThrownBy(kept::message).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_dead_letter_that_no_database_keeps_is_set_aside() {
    var never = new DeadMessage("queue", "id", "k", "k", "{}", null, true, "r", 1, Instant.MAX);
    var kept = kept(never);

    assertThat(kept.id()).startsWith("set-aside/");
    assertThat(kept.body()).isEqualTo("{}");
  }

  @Test
  void a_dead_letter_waits_while_the_database_is_away() {
    var closed = Tables.inMemory(MessageBook.TABLES);
    closed.close();
    assertThatThrownBy(() -> DeadMessages.keep(closed, dead("id", "{}", Map.of())))
        .isInstanceOf(StoreException.class);
  }
}
