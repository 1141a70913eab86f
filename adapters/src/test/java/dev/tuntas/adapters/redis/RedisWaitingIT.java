package dev.tuntas.adapters.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.areas.Admission.Customer;
import dev.tuntas.areas.AdmissionDecision;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Available;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.Area;
import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.AreaDesk.Question;
import dev.tuntas.areas.AreaService;
import dev.tuntas.areas.Departure;
import dev.tuntas.areas.Geofence;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.areas.Place;
import dev.tuntas.areas.Slots;
import dev.tuntas.areas.WaitingMirror.Seen;
import dev.tuntas.areas.Wanted;
import dev.tuntas.store.Tables;
import dev.tuntas.testservers.TestRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The waiting sets beside the counts that they mirror.
class RedisWaitingIT {

  private static final Place MIDDLE = new Place(-6.2, 106.8);
  private static final AreaService WHERE = new AreaService("A", "RIDE");
  private static final String SET = "waiting:order:A:RIDE";
  private static final String HASH = "threshold:config:A:RIDE";
  private static final Duration EVERY = Duration.ofMillis(2);

  private static TestRedis redis;
  private static RedisLink link;

  private Instant now = Instant.parse("2026-11-16T05:00:00Z");
  private final Tables tables = Tables.inMemory(AreaBook.TABLES);
  private final AreaBook book = new AreaBook(tables, (_, _) -> {});
  private final RedisWaiting mirror = new RedisWaiting(link, () -> now);
  private final WaitingKeeper keeper = new WaitingKeeper(book, tables, mirror, EVERY);
  private final AreaDesk desk = new AreaDesk(book, tables, mirror, () -> now);

  @BeforeAll
  static void start() {
    redis = TestRedis.start();
    link = new RedisLink(RedisLink.Settings.of(redis.url(), Duration.ofSeconds(5)), _ -> {});
    Eventually.holds(() -> link.ask(it -> it.ping()).isPresent(), "Redis answers");
  }

  @AfterAll
  static void stop() throws Exception {
    link.close();
    redis.close();
  }

  @BeforeEach
  void one_area() {
    told(); // by the test before
    redis.commands().flushall();
    var fence = Geofence.box(-6.3, 106.7, -6.1, 106.9);
    book.open(
        List.of(new Area("A", "A", fence, List.of(), new TreeSet<>(List.of("RIDE")), 0, true)));
  }

  @AfterEach
  void close() {
    tables.close();
  }

  private static final Question QUESTION =
      new Question(MIDDLE, "RIDE", new Customer(Loyalty.EXPLORER, "MYBB"));

  /// Takes a slot; somebody else's, of whom the mirror hears nothing.
  private void takes(String order) {
    var wanted = Wanted.of(order, (Admitted) desk.ask(QUESTION), now);
    assertThat(tables.<Boolean>write("take", it -> Slots.take(it, wanted, now))).isTrue();
  }

  private void joins(String order) {
    takes(order);
    mirror.joined(order, WHERE, now.plusSeconds(1800));
  }

  private void leaves(String order) {
    tables.write("leave", it -> Slots.giveBack(it, order, Departure.ASSIGNED, now));
    mirror.left(order, WHERE);
  }

  /// Compares, as soon as it is its turn again.
  private int compare() {
    redis.commands().del("waiting:compare");
    int repaired = keeper.round();
    told();
    return repaired;
  }

  /// All that was told so far has arrived: others see it too.
  private static void told() {
    assertThat(link.ask(it -> it.ping())).isPresent();
  }

  private Optional<Long> shown() {
    return mirror.look(WHERE).map(Seen::waiting);
  }

  @Test
  void who_joins_is_shown_by_the_end_of_its_life_until_it_leaves() {
    joins("o-1");
    joins("o-2");
    compare();
    assertThat(shown()).contains(2L);
    assertThat(redis.commands().zscore(SET, "o-1")).isEqualTo(now.getEpochSecond() + 1800.0);
    leaves("o-1");
    assertThat(shown()).contains(1L);
    assertThat(compare()).isZero();
  }

  @Test
  void nobody_leaves_because_its_time_is_over() {
    joins("o-1");
    now = now.plus(Duration.ofDays(1));
    compare();
    assertThat(shown()).contains(1L);
  }

  @Test
  void the_rules_are_beside_it() {
    joins("o-1");
    compare();
    assertThat(redis.commands().hgetall(HASH))
        .containsEntry("max_waiting_orders", "100")
        .containsEntry("order_lifetime_sec", "1800")
        .containsEntry("enabled", "true")
        .containsEntry("waiting", "1");
    assertThat(redis.commands().ttl(SET)).isPositive();
    assertThat(redis.commands().ttl(HASH)).isPositive();
  }

  @Test
  void what_got_lost_shows_nothing_until_it_was_built_anew_from_the_orders() {
    for (int i = 0; i < 5; i++) joins("o-" + i);
    compare();
    redis.commands().flushall();
    assertThat(shown()).isEmpty();
    assertThat(compare()).isEqualTo(1);
    assertThat(shown()).contains(5L);
    redis.commands().del(SET);
    assertThat(shown()).isEmpty();
    compare();
    assertThat(redis.commands().zrange(SET, 0, -1))
        .containsExactlyInAnyOrder("o-0", "o-1", "o-2", "o-3", "o-4");
  }

  @Test
  void who_was_missed_is_added_and_who_is_long_gone_is_removed() {
    takes("o-1");
    takes("o-2");
    redis.commands().zadd(SET, 1.0, "ghost");
    assertThat(compare()).isEqualTo(1);
    assertThat(redis.commands().zrange(SET, 0, -1)).containsExactlyInAnyOrder("o-1", "o-2");
    assertThat(compare()).isZero();
  }

  @Test
  void values_of_another_type_and_nonsense_show_nothing_and_are_replaced() {
    joins("o-1");
    compare();
    redis.commands().del(SET);
    redis.commands().set(SET, "nonsense");
    assertThat(shown()).isEmpty();
    compare();
    assertThat(shown()).contains(1L);
    redis.commands().hset(HASH, "compared_at", "yesterday");
    assertThat(shown()).isEmpty();
    redis.commands().hset(HASH, "compared_at", Long.toString(now.toEpochMilli()));
    redis.commands().hset(HASH, "waiting", "many");
    assertThat(shown()).isEmpty();
    compare();
    assertThat(shown()).contains(1L);
  }

  @Test
  void what_was_not_compared_for_ten_seconds_shows_nothing() {
    joins("o-1");
    compare();
    now = now.plusSeconds(10);
    assertThat(shown()).contains(1L);
    now = now.plusMillis(1);
    assertThat(shown()).isEmpty();
  }

  @Test
  void without_memory_it_shows_nothing_after_a_while_and_recovers() {
    joins("o-1");
    compare();
    redis.commands().configSet("maxmemory", "1");
    joins("o-2");
    now = now.plusSeconds(11);
    keeper.round();
    assertThat(shown()).isEmpty();
    redis.commands().configSet("maxmemory", "0");
    compare();
    assertThat(shown()).contains(2L);
  }

  @Test
  void one_process_compares_at_a_time() {
    joins("o-1");
    var patient = new WaitingKeeper(book, tables, mirror, Duration.ofHours(1));
    assertThat(patient.round()).isZero();
    told();
    redis.commands().del(SET);
    assertThat(patient.round()).isZero();
    assertThat(redis.commands().exists(SET)).isZero();
  }

  // What the check makes of it

  private void fill(int orders) {
    for (int i = 0; i < orders; i++) joins("o-" + i);
    compare();
  }

  private static long waiting(AdmissionDecision decision) {
    return ((Admitted) decision).load().waiting();
  }

  @Test
  void the_check_believes_plenty_of_room() {
    fill(3);
    redis.commands().zadd(SET, 1.0, "ghost");
    assertThat(waiting(desk.check(QUESTION))).isEqualTo(4);
    assertThat(waiting(desk.ask(QUESTION))).isEqualTo(3);
  }

  @Test
  void the_check_does_not_believe_that_it_is_full_or_nearly_so() {
    fill(3);
    for (int i = 0; i < 77; i++) redis.commands().zadd(SET, 1.0, "ghost-" + i);
    assertThat(shown()).contains(80L);
    assertThat(waiting(desk.check(QUESTION))).isEqualTo(3);
    for (int i = 0; i < 77; i++) redis.commands().zadd(SET, 1.0, "spirit-" + i);
    assertThat(desk.check(QUESTION)).isInstanceOf(Available.class);
    assertThat(waiting(desk.check(QUESTION))).isEqualTo(3);
  }

  @Test
  void what_is_full_is_full_whatever_the_mirror_shows_to_orders() {
    fill(100);
    redis.commands().del(SET);
    redis.commands().zadd(SET, 1.0, "o-1");
    assertThat(desk.ask(QUESTION)).isInstanceOf(Busy.class);
    assertThat(desk.check(QUESTION)).isInstanceOf(Busy.class);
  }
}
