package dev.tuntas.areas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.areas.Admission.Customer;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Available;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.AdmissionDecision.Bypassed;
import dev.tuntas.areas.AdmissionDecision.NotFound;
import dev.tuntas.areas.AreaDesk.Question;
import dev.tuntas.audit.AuditEntry;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Slots, the book and the desk, on whatever database.
abstract class SlotsContract {

  private static final Instant START = Instant.parse("2026-11-16T05:00:00Z");
  private static final Place MIDDLE = new Place(-6.2088, 106.8456);
  private static final AreaBook.Actor ANA =
      (action, subject) -> AuditEntry.by("ana", action, subject);

  private volatile Instant now = START;
  private Stores stores;
  private Tables tables;
  private final List<String> audit = new CopyOnWriteArrayList<>();
  private AreaBook book;
  private AreaDesk desk;

  abstract Stores openStores();

  @BeforeEach
  void open() {
    stores = openStores();
    tables = stores.tables(AreaBook.TABLES);
    book = newBook();
    desk = new AreaDesk(book, tables, () -> now);
    book.put(area("JKT-PUSAT", 0.05), ANA);
  }

  private AreaBook newBook() {
    return new AreaBook(
        tables,
        (_, entry) -> audit.add(entry.actor() + " " + entry.action() + " " + entry.subject()));
  }

  @AfterEach
  void the_counts_are_right() {
    assertThat(tables.read("check", Slots::wrong)).isEmpty();
    stores.close();
  }

  private static Area area(String id, double half) {
    var fence =
        Geofence.box(
            MIDDLE.latitude() - half,
            MIDDLE.longitude() - half,
            MIDDLE.latitude() + half,
            MIDDLE.longitude() + half);
    return new Area(id, id, fence, List.of(), new TreeSet<>(Area.SERVICES), 0, true);
  }

  private AdmissionDecision ask(Loyalty loyalty) {
    return desk.ask(new Question(MIDDLE, "RIDE", new Customer(loyalty, "MYBB")));
  }

  private Wanted wanted(String order, Loyalty loyalty) {
    return desk.wanted(order, (Admitted) ask(loyalty));
  }

  private boolean take(Wanted wanted) {
    return tables.write("take", session -> Slots.take(session, wanted, now));
  }

  private Set<String> takeAll(List<Wanted> wanted) {
    return tables.write("take", session -> Slots.takeAll(session, wanted, now));
  }

  private boolean giveBack(String order, Departure why) {
    return tables.write("give back", session -> Slots.giveBack(session, order, why, now));
  }

  private long waiting() {
    return tables.read("count", session -> Slots.count(session, "JKT-PUSAT", "RIDE")).waiting();
  }

  private void threshold(int waiting) {
    book.change("JKT-PUSAT", "RIDE", rules -> Rules.threshold(rules, waiting), ANA);
  }

  private static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
    try (var threads = Executors.newFixedThreadPool(16)) {
      var results = new ArrayList<T>();
      for (var call : threads.invokeAll(calls)) results.add(call.get());
      return results;
    }
  }

  @Test
  void five_hundred_at_once_never_pass_the_threshold_and_its_bypass() throws Exception {
    var ordinary = wanted("x", Loyalty.EXPLORER);
    var loyal = wanted("x", Loyalty.ELITE);
    var most = new AtomicLong();
    var calls = new ArrayList<Callable<Boolean>>();
    for (int i = 0; i < 500; i++) {
      boolean elite = i % 4 == 0;
      var template = elite ? loyal : ordinary;
      var wanted = named(template, (elite ? "loyal-" : "ordinary-") + i);
      calls.add(
          () -> {
            boolean taken = take(wanted);
            most.accumulateAndGet(waiting(), Math::max);
            return taken;
          });
    }

    long taken = atOnce(calls).stream().filter(it -> it).count();

    assertThat(taken).isEqualTo(waiting()).isBetween(100L, 120L);
    assertThat(most.get()).isLessThanOrEqualTo(120);
    long ordinaryTaken = count("order_id like 'ordinary-%'");
    assertThat(ordinaryTaken).isLessThanOrEqualTo(100);
    assertThat(count("bypassed = 1")).isEqualTo(taken - 100);
    // Whoever is loyal still gets what is left, and nobody more.
    var more = new ArrayList<Wanted>();
    for (int i = 0; i < 50; i++) more.add(named(loyal, "late-" + i));
    assertThat(takeAll(more)).hasSize((int) (50 - (120 - taken)));
    assertThat(waiting()).isEqualTo(120);
  }

  private static Wanted named(Wanted template, String order) {
    return new Wanted(
        order,
        template.area(),
        template.service(),
        template.limit(),
        template.expiresAt(),
        template.code());
  }

  private long count(String condition) {
    return tables.read(
        "count",
        session ->
            session
                .first("select count(*) from areas_slot where " + condition, row -> row.getLong(1))
                .orElse(0L));
  }

  @Test
  void a_slot_is_given_back_exactly_once_by_however_many() throws Exception {
    assertThat(take(wanted("o-1", Loyalty.EXPLORER))).isTrue();
    assertThat(take(wanted("o-2", Loyalty.EXPLORER))).isTrue();
    var calls = new ArrayList<Callable<Boolean>>();
    for (int i = 0; i < 20; i++) calls.add(() -> giveBack("o-1", Departure.ASSIGNED));

    assertThat(atOnce(calls).stream().filter(it -> it)).hasSize(1);
    assertThat(waiting()).isEqualTo(1);
    assertThat(giveBack("unknown", Departure.ASSIGNED)).isFalse();
  }

  @Test
  void an_order_gets_one_slot_however_often_it_asks_and_none_after_it_left() {
    var wanted = wanted("o-1", Loyalty.EXPLORER);
    assertThat(takeAll(List.of(wanted, wanted))).isEmpty();
    assertThat(take(wanted)).isTrue();
    assertThat(waiting()).isEqualTo(1);
    giveBack("o-1", Departure.CANCELLED_BY_USER);
    assertThat(take(wanted)).isTrue();
    assertThat(waiting()).isZero();
  }

  @Test
  void a_transaction_that_fails_takes_nothing() {
    var wanted = wanted("o-1", Loyalty.EXPLORER);
    try {
      tables.write(
          "fail",
          session -> {
            Slots.take(session, wanted, now);
            throw new IllegalStateException("on purpose");
          });
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessage("on purpose");
    }
    assertThat(waiting()).isZero();
  }

  @Test
  void takers_and_leavers_of_many_areas_at_once_leave_the_counts_right() throws Exception {
    book.put(area("CGK-T3", 0.01), ANA);
    var inside = (Admitted) ask(Loyalty.EXPLORER);
    var calls = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < 60; i++) {
      int number = i;
      calls.add(
          () -> {
            var batch = new ArrayList<Wanted>();
            var leaving = new HashMap<String, Departure>();
            for (int k = 0; k < 4; k++) {
              var area = k % 2 == number % 2 ? "JKT-PUSAT" : "CGK-T3";
              var order = "o-" + number + "-" + k;
              var template = desk.wanted(order, inside);
              batch.add(
                  new Wanted(
                      order,
                      area,
                      "RIDE",
                      template.limit(),
                      template.expiresAt(),
                      template.code()));
              leaving.put(order, Departure.values()[k]);
            }
            int refused = takeAll(batch).size();
            int left = tables.write("leave", s -> Slots.giveBackAll(s, leaving, now));
            assertThat(left).isEqualTo(4 - refused);
            return refused;
          });
    }
    atOnce(calls);
    assertThat(tables.read("check", Slots::wrong)).isEmpty();
    assertThat(waiting()).isZero();
  }

  @Test
  void a_full_area_cools_down_after_the_first_has_left() {
    threshold(2);
    assertThat(takeAll(List.of(wanted("o-1", Loyalty.EXPLORER), wanted("o-2", Loyalty.EXPLORER))))
        .isEmpty();
    assertThat(ask(Loyalty.EXPLORER)).isInstanceOf(Busy.class);
    now = now.plusSeconds(300);
    var early = new SlotLimit(2, 2, now.minusSeconds(60), true);
    giveBack("o-1", Departure.ASSIGNED);
    now = now.plusSeconds(59);
    assertThat(ask(Loyalty.EXPLORER)).isInstanceOf(Busy.class);
    assertThat(ask(Loyalty.VOYAGER)).isInstanceOf(Bypassed.class);
    // Nor is a slot to be had by who asked before.
    var late = new Wanted("o-3", "JKT-PUSAT", "RIDE", early, now, AreaCode.values()[0]);
    assertThat(take(late)).isFalse();
    now = now.plusSeconds(1);
    assertThat(ask(Loyalty.EXPLORER)).isInstanceOf(Available.class);
    assertThat(take(wanted("o-4", Loyalty.EXPLORER))).isTrue();
  }

  @Test
  void a_new_threshold_needs_no_cooling_down() {
    threshold(1);
    assertThat(take(wanted("o-1", Loyalty.EXPLORER))).isTrue();
    assertThat(ask(Loyalty.EXPLORER)).isInstanceOf(Busy.class);
    threshold(2);
    assertThat(ask(Loyalty.EXPLORER)).isInstanceOf(Available.class);
  }

  @Test
  void in_shadow_mode_all_are_let_in_and_the_refusals_are_noted() {
    threshold(1);
    var none = new TreeSet<String>();
    var flags =
        new Flags(
            new Flags.ServerBusy(true, none, none, true), Flags.defaults().proactiveRetrieval());
    book.changeFlags(_ -> flags, ANA);
    for (int i = 0; i < 5; i++) assertThat(take(wanted("o-" + i, Loyalty.EXPLORER))).isTrue();
    assertThat(waiting()).isEqualTo(5);
    var shadows =
        tables.read(
            "look",
            session ->
                session.list(
                    "select order_id || ' ' || code from areas_shadow order by order_id",
                    row -> row.getString(1)));
    assertThat(shadows)
        .hasSize(4)
        .first()
        .isEqualTo("o-1 " + AreaCode.DISPATCHER_AREA_THRESHOLD_REACHED);
  }

  @Test
  void a_rebuilt_count_is_the_number_of_slots() {
    take(wanted("o-1", Loyalty.EXPLORER));
    tables.write("break", session -> session.update("update areas_load set waiting = 77"));
    assertThat(tables.read("check", Slots::wrong)).hasSize(1);
    tables.write(
        "rebuild",
        session -> {
          Slots.rebuild(session);
          return true;
        });
    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void recent_assignments_tell_how_long_one_waits() {
    for (int i = 0; i < 60; i++) take(wanted("o-" + i, Loyalty.EXPLORER));
    now = now.plus(Duration.ofMinutes(1));
    var left = new HashMap<String, Departure>();
    for (int i = 0; i < 30; i++) left.put("o-" + i, Departure.ASSIGNED);
    left.put("o-30", Departure.LIFETIME_TIMEOUT);
    assertThat(tables.<Integer>write("leave", s -> Slots.giveBackAll(s, left, now))).isEqualTo(31);
    now = now.plusSeconds(10);
    var load = ((Available) ask(Loyalty.EXPLORER)).load();
    assertThat(load.assignedPerSecond()).isEqualTo(0.05);
    assertThat(load.estimatedWait()).isEqualTo(Duration.ofSeconds(600));
  }

  @Test
  void a_busy_area_has_alternatives_nearby() {
    book.put(area("SMALL", 0.01), ANA);
    book.override(
        "SMALL", List.of(), new AreaOverride(AreaOverride.Status.FORCE_BUSY, "Banjir", null), ANA);
    var question = new Question(MIDDLE, "RIDE", new Customer(Loyalty.EXPLORER, "MYBB"));
    var busy = (Busy) desk.ask(question);
    assertThat(busy.load().area().id()).isEqualTo("SMALL");
    assertThat(desk.alternatives(question, busy.load().area()))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.area().id()).isEqualTo("JKT-PUSAT");
              assertThat(it.estimatedWait()).isEqualTo(Duration.ofSeconds(120));
            });
  }

  @Test
  void an_override_ends_by_the_clock_and_every_change_is_audited() {
    var forced =
        new AreaOverride(AreaOverride.Status.FORCE_BUSY, "Banjir di area", now.plusSeconds(2));
    assertThat(book.override("JKT-PUSAT", List.of("RIDE"), forced, ANA)).isTrue();
    assertThat(ask(Loyalty.ELITE)).isInstanceOf(Busy.class);
    now = now.plusSeconds(2);
    assertThat(ask(Loyalty.ELITE)).isInstanceOf(Available.class);
    assertThat(book.override("JKT-PUSAT", List.of("BOAT"), forced, ANA)).isFalse();
    assertThat(book.override("NOWHERE", List.of(), null, ANA)).isFalse();
    assertThat(book.delete("JKT-PUSAT", ANA)).isTrue();
    assertThat(book.delete("JKT-PUSAT", ANA)).isFalse();
    assertThat(ask(Loyalty.ELITE)).isInstanceOf(NotFound.class);
    assertThat(audit)
        .containsExactly(
            "ana area.created JKT-PUSAT",
            "ana area.override JKT-PUSAT RIDE",
            "ana area.deleted JKT-PUSAT");
  }

  @Test
  void what_another_process_changes_is_known_within_a_second() {
    assertThat(ask(Loyalty.EXPLORER)).isInstanceOf(Available.class);
    var other = newBook();
    var forced = new AreaOverride(AreaOverride.Status.FORCE_BUSY, "Banjir", null);
    other.override("JKT-PUSAT", List.of(), forced, ANA);
    long changed = System.nanoTime();
    while (!(ask(Loyalty.EXPLORER) instanceof Busy)) {
      assertThat(Duration.ofNanos(System.nanoTime() - changed)).isLessThan(Duration.ofSeconds(30));
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    }
  }

  @Test
  void rules_and_areas_come_back_as_they_were_written() {
    threshold(7);
    var hashed =
        new Area(
            "HASHED",
            "Pasar \"Baru\"",
            null,
            List.of("qqgu", "qqgv"),
            new TreeSet<>(List.of("RENT")),
            3,
            false);
    book.put(hashed, ANA);
    var read = newBook().current();
    assertThat(read.areas().get("HASHED")).isEqualTo(hashed);
    assertThat(read.areas().get("JKT-PUSAT")).isEqualTo(area("JKT-PUSAT", 0.05));
    assertThat(read.rules("JKT-PUSAT", "RIDE")).isEqualTo(Rules.threshold(AreaRules.defaults(), 7));
    assertThat(read.rules("JKT-PUSAT", "RENT")).isEqualTo(AreaRules.defaults());
    assertThat(read.flags()).isEqualTo(Flags.defaults());
    assertThat(read.overrides()).isEmpty();
  }

  @Test
  void every_minute_is_written_down_once_with_what_became_of_those_who_waited() {
    threshold(3);
    for (int i = 0; i < 3; i++) take(wanted("o-" + i, Loyalty.EXPLORER));
    now = now.plusSeconds(20);
    giveBack("o-0", Departure.ASSIGNED);
    giveBack("o-1", Departure.CANCELLED_BY_USER);
    now = START.plusSeconds(60);
    var history = new AreaHistory(tables, desk);
    history.record(now, Map.of(new AreaService("JKT-PUSAT", "RIDE"), 5L));
    history.record(now, Map.of(new AreaService("JKT-PUSAT", "RIDE"), 2L));

    var stretches = history.stretches("JKT-PUSAT", START, now, 60);
    assertThat(stretches).hasSize(Area.SERVICES.size());
    var ride = stretches.stream().filter(it -> it.service().equals("RIDE")).findFirst();
    assertThat(ride)
        .get()
        .isEqualTo(new AreaHistory.Stretch("RIDE", START, 1, 1, 3, 3, 0, 1, 1, 0, 0, 7));
    assertThat(history.forget(now.plusSeconds(1), now.plusSeconds(1), 100)).isFalse();
    assertThat(history.stretches("JKT-PUSAT", START, now, 1)).isEmpty();
    assertThat(waiting()).isEqualTo(1);
  }
}
