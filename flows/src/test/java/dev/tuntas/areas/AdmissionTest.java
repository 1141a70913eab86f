package dev.tuntas.areas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.areas.Admission.Customer;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Available;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.AdmissionDecision.Bypassed;
import dev.tuntas.areas.AdmissionDecision.Disabled;
import dev.tuntas.areas.AdmissionDecision.Shadowed;
import dev.tuntas.areas.AdmissionDecision.Unasked;
import dev.tuntas.areas.Flags.ServerBusy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AdmissionTest {

  private static final Instant NOON = Instant.parse("2026-11-16T05:00:00Z"); // in Jakarta
  private static final Area AREA = area(true);
  private static final ServerBusy ON = Flags.defaults().serverBusy();

  private static Area area(boolean enabled) {
    return new Area(
        "JKT-PUSAT",
        "Jakarta Pusat",
        null,
        List.of("qqgu"),
        new TreeSet<>(List.of("RIDE")),
        0,
        enabled);
  }

  private static AreaLoad load(long waiting) {
    return load(AreaRules.defaults(), waiting, null, null);
  }

  private static AreaLoad load(
      AreaRules rules, long waiting, @Nullable Instant reachedAt, @Nullable AreaOverride override) {
    return new AreaLoad(AREA, "RIDE", rules, override, waiting, reachedAt, 0);
  }

  private static AdmissionDecision decide(AreaLoad load, Loyalty loyalty) {
    return Admission.decide(ON, load, new Customer(loyalty, "MYBB"), NOON);
  }

  private static AdmissionDecision decide(ServerBusy flags, long waiting) {
    return Admission.decide(flags, load(waiting), new Customer(Loyalty.EXPLORER, "MYBB"), NOON);
  }

  private static AreaRules withBypass(boolean enabled, int percentage, Loyalty... levels) {
    var d = AreaRules.defaults();
    return new AreaRules(
        d.maxWaitingOrders(),
        d.dispatchTimeoutSec(),
        d.orderLifetimeSec(),
        d.retryIntervalSec(),
        d.busyRetryIntervalSec(),
        d.cooldownPeriodSec(),
        true,
        0,
        enabled,
        new TreeSet<>(List.of(levels)),
        percentage,
        List.of(),
        d.timeZone(),
        null);
  }

  private static AreaRules following(@Nullable Integer waitLimit, DayTime... times) {
    var d = AreaRules.defaults();
    return new AreaRules(
        d.maxWaitingOrders(),
        d.dispatchTimeoutSec(),
        d.orderLifetimeSec(),
        d.retryIntervalSec(),
        d.busyRetryIntervalSec(),
        d.cooldownPeriodSec(),
        true,
        0,
        true,
        d.bypassLoyaltyLevels(),
        20,
        List.of(times),
        d.timeZone(),
        waitLimit);
  }

  @Test
  void the_defaults_are_those_of_the_document() {
    var rules = AreaRules.defaults();
    assertThat(rules.maxWaitingOrders()).isEqualTo(100);
    assertThat(rules.dispatchTimeoutSec()).isEqualTo(120);
    assertThat(rules.orderLifetimeSec()).isEqualTo(1800);
    assertThat(rules.retryIntervalSec()).isEqualTo(15);
    assertThat(rules.busyRetryIntervalSec()).isEqualTo(60);
    assertThat(rules.cooldownPeriodSec()).isEqualTo(60);
    assertThat(rules.enabled()).isTrue();
    assertThat(rules.bypassEnabled()).isTrue();
    assertThat(rules.bypassLoyaltyLevels()).containsExactly(Loyalty.VOYAGER, Loyalty.ELITE);
    assertThat(rules.maxBypassPercentage()).isEqualTo(20);
    assertThat(rules.flaw()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Loyalty.class)
  void below_the_threshold_everybody_may(Loyalty loyalty) {
    assertThat(decide(load(0), loyalty)).isInstanceOf(Available.class);
    assertThat(decide(load(99), loyalty)).isInstanceOf(Available.class);
  }

  @ParameterizedTest
  @CsvSource({
    "100, EXPLORER, Busy",
    "100, TRAVELER, Busy",
    "100, VOYAGER, Bypassed",
    "119, ELITE, Bypassed",
    "120, ELITE, Busy",
    "120, EXPLORER, Busy",
  })
  void from_the_threshold_on_only_loyal_customers_may_and_only_so_many(
      long waiting, Loyalty loyalty, String decision) {
    assertThat(decide(load(waiting), loyalty).getClass().getSimpleName()).isEqualTo(decision);
  }

  @Test
  void a_loyal_customer_hears_that_the_bypass_is_full_too() {
    assertThat(decide(load(120), Loyalty.VOYAGER))
        .isEqualTo(new Busy(load(120), Duration.ofSeconds(60), true));
    assertThat(decide(load(120), Loyalty.EXPLORER))
        .isEqualTo(new Busy(load(120), Duration.ofSeconds(60), false));
  }

  @Test
  void a_missing_or_unknown_level_is_the_lowest() {
    assertThat(Loyalty.of(null)).isEqualTo(Loyalty.EXPLORER);
    assertThat(Loyalty.of("PLATINUM")).isEqualTo(Loyalty.EXPLORER);
    assertThat(Loyalty.of("elite")).isEqualTo(Loyalty.EXPLORER);
    assertThat(Loyalty.of("ELITE")).isEqualTo(Loyalty.ELITE);
  }

  @Test
  void the_share_of_the_bypass_is_rounded_down() {
    assertThat(AreaRules.defaults().withBypass(100)).isEqualTo(120);
    assertThat(AreaRules.defaults().withBypass(9)).isEqualTo(10);
    assertThat(AreaRules.defaults().withBypass(4)).isEqualTo(4);
  }

  @Test
  void who_bypasses_is_configured() {
    var travelers = withBypass(true, 10, Loyalty.TRAVELER);
    assertThat(decide(load(travelers, 105, null, null), Loyalty.TRAVELER))
        .isInstanceOf(Bypassed.class);
    assertThat(decide(load(travelers, 105, null, null), Loyalty.ELITE)).isInstanceOf(Busy.class);
    assertThat(decide(load(travelers, 110, null, null), Loyalty.TRAVELER)).isInstanceOf(Busy.class);
    var off = withBypass(false, 20, Loyalty.ELITE);
    assertThat(decide(load(off, 100, null, null), Loyalty.ELITE))
        .isEqualTo(new Busy(load(off, 100, null, null), Duration.ofSeconds(60), false));
  }

  @Test
  void after_the_threshold_an_area_cools_down_for_ordinary_customers() {
    var reached = NOON.minusSeconds(59);
    assertThat(decide(load(AreaRules.defaults(), 3, reached, null), Loyalty.EXPLORER))
        .isInstanceOf(Busy.class);
    assertThat(decide(load(AreaRules.defaults(), 3, reached, null), Loyalty.ELITE))
        .isInstanceOf(Bypassed.class);
    var longAgo = NOON.minusSeconds(60);
    assertThat(decide(load(AreaRules.defaults(), 3, longAgo, null), Loyalty.EXPLORER))
        .isInstanceOf(Available.class);
  }

  @Test
  void a_forced_area_is_busy_for_everybody_and_then_no_more() {
    var forced =
        new AreaOverride(AreaOverride.Status.FORCE_BUSY, "Banjir di area", NOON.plusSeconds(2));
    var load = load(AreaRules.defaults(), 0, null, forced);
    assertThat(decide(load, Loyalty.ELITE))
        .isEqualTo(new Busy(load, Duration.ofSeconds(60), false));
    var elite = new Customer(Loyalty.ELITE, "MYBB");
    assertThat(Admission.decide(ON, load, elite, NOON.plusSeconds(2)))
        .isInstanceOf(Available.class);
  }

  @Test
  void under_force_available_the_threshold_is_not_asked() {
    var forced = new AreaOverride(AreaOverride.Status.FORCE_AVAILABLE, "Konser", null);
    var decision = decide(load(AreaRules.defaults(), 5_000, NOON, forced), Loyalty.EXPLORER);
    assertThat(decision).isInstanceOf(Available.class);
    assertThat(((Admitted) decision).limit().waitingBelow()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_disabled_area_takes_nobody() {
    var load = new AreaLoad(area(false), "RIDE", AreaRules.defaults(), null, 0, null, 0);
    assertThat(decide(load, Loyalty.ELITE)).isEqualTo(new Disabled(load, Duration.ofSeconds(60)));
  }

  @Test
  void with_admission_off_or_outside_the_flags_the_area_is_only_noted() {
    var none = new TreeSet<String>();
    var off = new ServerBusy(false, none, none, false);
    var elsewhere = new ServerBusy(true, new TreeSet<>(List.of("CGK-T3")), none, false);
    var web = new ServerBusy(true, none, new TreeSet<>(List.of("WEB")), false);
    for (var flags : List.of(off, elsewhere, web)) {
      var decision = decide(flags, 5_000);
      assertThat(decision).isInstanceOf(Unasked.class);
      assertThat(((Admitted) decision).limit().waitingBelow()).isEqualTo(Long.MAX_VALUE);
    }
    var here =
        new ServerBusy(
            true, new TreeSet<>(List.of("JKT-PUSAT")), new TreeSet<>(List.of("MYBB")), false);
    assertThat(decide(here, 5_000)).isInstanceOf(Busy.class);
  }

  @Test
  void shadow_mode_refuses_nothing_and_says_what_it_would_have() {
    var shadow = new ServerBusy(true, new TreeSet<>(), new TreeSet<>(), true);
    var decision = decide(shadow, 100);
    assertThat(decision)
        .isInstanceOfSatisfying(
            Shadowed.class,
            it -> {
              assertThat(it.would()).isInstanceOf(Busy.class);
              assertThat(it.limit().enforced()).isFalse();
            });
    assertThat(decide(shadow, 99)).isInstanceOf(Available.class);
  }

  @Test
  void the_threshold_follows_the_time_of_day_where_the_area_is() {
    var rush = following(null, new DayTime("11:30", "12:30", 10), new DayTime("22:00", "05:00", 7));
    assertThat(rush.thresholdAt(NOON, 0)).isEqualTo(10);
    assertThat(rush.thresholdAt(NOON.plusSeconds(1800), 0)).isEqualTo(100);
    assertThat(rush.thresholdAt(Instant.parse("2026-11-16T16:00:00Z"), 0)).isEqualTo(7);
    assertThat(rush.thresholdAt(Instant.parse("2026-11-16T21:59:00Z"), 0)).isEqualTo(7);
    assertThat(rush.thresholdAt(Instant.parse("2026-11-16T22:00:00Z"), 0)).isEqualTo(100);
    assertThat(decide(load(rush, 10, null, null), Loyalty.EXPLORER)).isInstanceOf(Busy.class);
  }

  @Test
  void the_threshold_follows_recent_assignments_where_that_is_wanted() {
    var rules = following(300);
    assertThat(rules.thresholdAt(NOON, 0.1)).isEqualTo(30);
    assertThat(rules.thresholdAt(NOON, 5)).isEqualTo(100);
    assertThat(rules.thresholdAt(NOON, 0)).isEqualTo(100);
    assertThat(rules.thresholdAt(NOON, 0.0001)).isEqualTo(1);
  }

  @Test
  void the_wait_is_estimated_from_recent_assignments() {
    assertThat(load(45).estimatedWait()).isEqualTo(Duration.ofSeconds(120));
    var quick = new AreaLoad(AREA, "RIDE", AreaRules.defaults(), null, 45, null, 0.5);
    assertThat(quick.estimatedWait()).isEqualTo(Duration.ofSeconds(92));
    var slow = new AreaLoad(AREA, "RIDE", AreaRules.defaults(), null, 45, null, 0.001);
    assertThat(slow.estimatedWait()).isEqualTo(Duration.ofSeconds(1800));
  }

  @Test
  void rules_that_cannot_be_are_told_by_field() {
    assertThat(following(0).flaw()).get().extracting("field").isEqualTo("estimated_wait_limit_sec");
    assertThat(following(null, new DayTime("25:00", "26:00", 1)).flaw())
        .get()
        .extracting("sentence")
        .isEqualTo("A time of day is written as 17:30.");
    assertThat(following(null, new DayTime("10:00", "10:00", 1)).flaw()).isPresent();
    assertThat(following(null, new DayTime("10:00", "11:00", -1)).flaw()).isPresent();
    assertThat(withBypass(true, -1).flaw())
        .get()
        .extracting("field")
        .isEqualTo("max_bypass_percentage");
  }

  @Test
  void proactive_retrieval_is_stable_for_an_order_and_grows_with_the_percentage() {
    var ten = new Flags.ProactiveRetrieval(true, 10);
    var fifty = new Flags.ProactiveRetrieval(true, 50);
    int inTen = 0;
    for (int i = 0; i < 10_000; i++) {
      var order = "ord_" + i;
      if (!ten.isFor(order)) continue;
      inTen++;
      assertThat(fifty.isFor(order)).isTrue();
    }
    assertThat(inTen).isBetween(800, 1_200);
    assertThat(new Flags.ProactiveRetrieval(true, 100).isFor("x")).isTrue();
    assertThat(new Flags.ProactiveRetrieval(false, 100).isFor("x")).isFalse();
  }
}
