package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OutboxRelayTest {

  private static final int ATTEMPTS = 3;

  private final Notices outbox = new Notices();
  private final List<String> published = new ArrayList<>();
  private final Set<String> failing = new HashSet<>();
  private final Set<String> locked = new HashSet<>();
  private Instant now = Story.START;
  private final OutboxRelay relay =
      new OutboxRelay(outbox, this::publish, () -> now, ATTEMPTS, EngineListener.NONE);

  private void publish(Outbox.Entry notice) throws Exception {
    if (failing.contains(notice.sagaId())) throw new Exception("broker says \0 no");
    if (locked.contains(notice.sagaId())) {
      var store = new StoreException(StoreException.Kind.BLOCKED, "somebody has a lock", null);
      throw new IllegalStateException("not told", store);
    }
    published.add(notice.sagaId() + notice.seq());
  }

  /// An outbox in memory, as its promise reads.
  private static final class Notices implements Outbox {
    private final Map<Long, Entry> waiting = new TreeMap<>();
    private final Map<Long, Instant> retryAt = new TreeMap<>();
    private final Map<Long, String> dead = new TreeMap<>();
    private boolean losesReply;

    void add(String saga, int seq) {
      long pos = waiting.size() + 1L;
      waiting.put(pos, new Entry(pos, saga, 1, seq, "type", "{}", Story.START, 0));
    }

    @Override
    public List<Entry> next(Instant now, int limit) {
      var heldBack = new HashSet<String>();
      var next = new ArrayList<Entry>();
      for (var entry : waiting.values()) {
        boolean waits = dead.containsKey(entry.pos());
        waits |= retryAt.getOrDefault(entry.pos(), Instant.MIN).isAfter(now);
        if (waits) heldBack.add(entry.sagaId());
        if (!heldBack.contains(entry.sagaId())) next.add(entry);
      }
      return next;
    }

    @Override
    public void published(Collection<Long> positions) {
      if (losesReply) throw new StoreException(StoreException.Kind.UNKNOWN, "published", null);
      waiting.keySet().removeAll(positions);
    }

    @Override
    public void failed(long pos, String error, Instant at) {
      assertThat(error).doesNotContain("\0");
      retryAt.put(pos, at);
      waiting.computeIfPresent(
          pos,
          (_, e) ->
              new Entry(
                  pos,
                  e.sagaId(),
                  e.version(),
                  e.seq(),
                  e.type(),
                  e.body(),
                  e.at(),
                  e.attempts() + 1));
    }

    @Override
    public void postpone(long pos, String error, Instant at) {
      retryAt.put(pos, at);
    }

    @Override
    public void bury(long pos, String error) {
      dead.put(pos, error);
    }

    @Override
    public List<DeadLetter> deadLetters(int limit) {
      return dead.entrySet().stream()
          .map(letter -> new DeadLetter(waiting.get(letter.getKey()), letter.getValue()))
          .toList();
    }

    @Override
    public boolean revive(long pos) {
      return dead.remove(pos) != null;
    }

    @Override
    public boolean discard(long pos) {
      return dead.remove(pos) != null && waiting.remove(pos) != null;
    }

    @Override
    public Lag lag() {
      return new Lag(waiting.size(), dead.size(), null);
    }
  }

  private void waiting(String... notices) {
    for (var notice : notices) outbox.add(notice.substring(0, 1), notice.charAt(1) - '0');
  }

  private int relayAfter(Duration time) {
    now = now.plus(time);
    return relay.relay();
  }

  @Test
  void notices_go_out_in_their_order_and_are_forgotten() {
    waiting("a1", "b1", "a2", "a3", "b2");
    assertThat(relay.relay()).isEqualTo(5);
    assertThat(published).containsExactly("a1", "b1", "a2", "a3", "b2");
    assertThat(outbox.waiting).isEmpty();
    assertThat(relay.relay()).isZero();
  }

  @Test
  void one_that_fails_holds_back_only_its_own_saga() {
    waiting("a1", "b1", "a2", "b2");
    failing.add("a");
    assertThat(relay.relay()).isEqualTo(2);
    assertThat(published).containsExactly("b1", "b2");
    failing.clear();
    assertThat(relayAfter(Duration.ofSeconds(2))).isEqualTo(2);
    assertThat(published).containsExactly("b1", "b2", "a1", "a2");
  }

  @Test
  void it_tries_again_after_a_pause_and_not_before() {
    waiting("a1");
    failing.add("a");
    relay.relay();
    assertThat(outbox.retryAt.get(1L)).isBetween(now.plusMillis(700), now.plusMillis(1_300));
    failing.clear();
    assertThat(relayAfter(Duration.ofMillis(699))).isZero();
    assertThat(relayAfter(Duration.ofMillis(601))).isEqualTo(1);
  }

  @Test
  void after_its_last_attempt_it_is_a_dead_letter_that_holds_back_its_saga() {
    waiting("a1", "a2", "b1");
    failing.add("a");
    for (int i = 0; i < ATTEMPTS; i++) relayAfter(Duration.ofMinutes(1));
    assertThat(outbox.deadLetters(9))
        .extracting(letter -> letter.entry().eventId())
        .containsExactly("a/1/1");
    assertThat(outbox.dead.get(1L)).contains("broker says ? no");
    failing.clear();
    assertThat(relayAfter(Duration.ofHours(1))).isZero();
    assertThat(published).containsExactly("b1");
    outbox.revive(1);
    assertThat(relay.relay()).isEqualTo(2);
    assertThat(published).containsExactly("b1", "a1", "a2");
  }

  @Test
  void what_our_own_database_could_not_do_is_no_attempt() {
    waiting("a1", "a2", "b1");
    locked.add("a");
    for (int i = 0; i < 10 * ATTEMPTS; i++) relayAfter(Duration.ofMinutes(1));
    assertThat(outbox.dead).isEmpty();
    assertThat(outbox.waiting.get(1L).attempts()).isZero();
    assertThat(published).containsExactly("b1");
    locked.clear();
    assertThat(relayAfter(Duration.ofSeconds(5))).isEqualTo(2);
    assertThat(published).containsExactly("b1", "a1", "a2");
  }

  @Test
  void a_lost_reply_means_a_second_delivery_and_never_a_lost_one() {
    waiting("a1", "a2");
    outbox.losesReply = true;
    assertThatExceptionOfType(StoreException.class).isThrownBy(relay::relay);
    outbox.losesReply = false;
    assertThat(relay.relay()).isEqualTo(2);
    assertThat(published).containsExactly("a1", "a2", "a1", "a2");
  }

  @Test
  void the_listener_hears_what_became_of_each() {
    var heard = new ArrayList<String>();
    var listener =
        new EngineListener() {
          @Override
          public void published(Outbox.Entry notice, Throwable failure, boolean dead) {
            heard.add(notice.sagaId() + (failure == null ? " out" : dead ? " dead" : " failed"));
          }
        };
    var telling = new OutboxRelay(outbox, this::publish, () -> now, 1, listener);
    waiting("a1", "b1");
    failing.add("a");
    telling.relay();
    assertThat(heard).containsExactly("b out", "a dead");
  }

  @Test
  void a_few_old_ones_that_nobody_can_take_do_not_stand_in_the_way_of_all() {
    waiting("a1", "b1", "c1", "d1", "e1", "e2");
    failing.addAll(List.of("a", "b", "c"));
    assertThat(relay.relay()).isEqualTo(3);
    assertThat(published).containsExactly("e1", "d1", "e2");
    for (int i = 1; i < ATTEMPTS; i++) {
      waiting("f" + i); // there is always more to tell
      relayAfter(Duration.ofMinutes(1));
    }
    assertThat(outbox.dead).hasSize(3);
    assertThat(published).containsExactly("e1", "d1", "e2", "f1", "f2");
  }

  @Test
  void a_publisher_that_is_away_costs_no_notice_an_attempt() {
    waiting("a1", "b1", "c1", "d1");
    failing.addAll(List.of("a", "b", "c", "d"));
    for (int i = 0; i < 50; i++) {
      assertThatExceptionOfType(PublisherAwayException.class).isThrownBy(relay::relay);
    }
    failing.clear();
    assertThat(relay.relay()).isEqualTo(4);
    assertThat(published).containsExactly("a1", "b1", "c1", "d1");
  }
}
