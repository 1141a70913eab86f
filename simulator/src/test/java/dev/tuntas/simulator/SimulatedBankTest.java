package dev.tuntas.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedBankTest {

  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final Money PRICE = new Money(150_000, "IDR");

  private final List<Duration> pauses = new ArrayList<>();
  private final Weather weather = new Weather(new Random(1), pauses::add);
  private final Tables tables = Tables.inMemory(SimulatedBank.TABLES);
  private final SimulatedBank bank = new SimulatedBank(tables, weather, InstantSource.fixed(NOW));

  @AfterEach
  void close() {
    tables.close();
  }

  private String charge(String order, String method, String key) {
    return say(bank.charge(new Charge(order, method, PRICE), key));
  }

  private String refund(String order, String key) {
    return say(bank.refund(new Refund(order, PRICE, true), key));
  }

  private String refundPart(String order, long amount, String key) {
    return say(bank.refund(new Refund(order, new Money(amount, "IDR"), false), key));
  }

  private static String say(Outcome<Receipt> outcome) {
    return switch (outcome) {
      case Outcome.Succeeded<Receipt>(var receipt) ->
          receipt.status() + " " + receipt.amount().amount();
      case Outcome.Failed<Receipt>(var failure) -> failure.code();
      case Outcome.Unclear<Receipt>(var why, _) -> "unclear: " + why;
    };
  }

  private List<String> ledger() {
    var lines = new ArrayList<String>();
    new Effects(tables).each(e -> lines.add(e.result() + " " + e.key() + " " + e.orderId()));
    return lines;
  }

  @Test
  void a_charge_is_carried_out_once_per_key() {
    assertThat(charge("o-1", "pm_ok", "k")).isEqualTo("charged 150000");
    assertThat(charge("o-1", "pm_ok", "k")).isEqualTo("charged 150000");

    var entries = new ArrayList<Effect>();
    new Effects(tables).each(entries::add);
    assertThat(entries)
        .containsExactly(new Effect(NOW, "charge", "k", "o-1", PRICE, "charged", List.of()));
  }

  @Test
  void two_keys_are_two_charges_so_that_the_mistake_shows() {
    charge("o-1", "pm_ok", "k-1");
    charge("o-1", "pm_ok", "k-2");

    assertThat(ledger()).containsExactly("charged k-1 o-1", "charged k-2 o-1");
  }

  @Test
  void a_key_belongs_to_one_request() {
    charge("o-1", "pm_ok", "k");
    assertThat(charge("o-2", "pm_ok", "k")).isEqualTo("idempotency_key_reused");

    refundPart("o-1", 10, "r");
    assertThat(refundPart("o-1", 11, "r")).isEqualTo("idempotency_key_reused");
    assertThat(refund("o-2", "r")).isEqualTo("idempotency_key_reused");
  }

  @Test
  void declined_is_a_clear_no() {
    assertThat(charge("o-1", "pm_declined", "k")).isEqualTo("payment_declined");
    assertThat(ledger()).isEmpty();
  }

  @Test
  void slow_takes_three_seconds_and_once() {
    assertThat(charge("o-1", "pm_slow", "k")).isEqualTo("charged 150000");
    assertThat(charge("o-1", "pm_slow", "k")).isEqualTo("charged 150000");
    assertThat(pauses).containsExactly(Duration.ofSeconds(3));
  }

  @Test
  void a_lost_reply_is_told_when_asked_again() {
    assertThat(charge("o-1", "pm_lost_reply", "k")).isEqualTo("unclear: connection lost");
    assertThat(ledger()).containsExactly("charged k o-1");
    assertThat(charge("o-1", "pm_lost_reply", "k")).isEqualTo("charged 150000");
    assertThat(ledger()).hasSize(1);
  }

  @Test
  void unavailable_is_so_three_times_for_each_key() {
    for (var key : List.of("k-1", "k-2")) {
      for (int i = 0; i < 3; i++) {
        assertThat(charge(key, "pm_unavailable", key)).startsWith("unclear: 503");
      }
      assertThat(charge(key, "pm_unavailable", key)).isEqualTo("charged 150000");
      assertThat(charge(key, "pm_unavailable", key)).isEqualTo("charged 150000");
    }
  }

  @Test
  void never_is_never() {
    for (int i = 0; i < 10; i++) {
      assertThat(charge("o-1", "pm_never", "k")).startsWith("unclear: 503");
    }
    assertThat(ledger()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_lost_reply", "pm_unavailable", "pm_never"})
  void a_method_that_leaves_doubt_does_not_count_against_the_bank(String method) {
    assertThat(bank.charge(new Charge("o-1", method, PRICE), "k"))
        .isInstanceOfSatisfying(
            Outcome.Unclear.class,
            unclear -> assertThat(unclear.doubt()).isEqualTo(Outcome.Doubt.PENDING));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_what", "PM_OK", "", "ok"})
  void other_methods_are_not_known(String method) {
    assertThat(SimulatedBank.knows(method)).isFalse();
    assertThat(charge("o-1", method, "k")).isEqualTo("payment_method_invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"pm_ok", "pm_declined", "pm_slow", "pm_lost_reply", "pm_unavailable", "pm_never"})
  void the_methods_of_the_contract_are_known(String method) {
    assertThat(SimulatedBank.knows(method)).isTrue();
  }

  @Test
  void a_whole_refund_gives_back_what_is_left_and_closes_the_order() {
    charge("o-1", "pm_ok", "k");

    assertThat(refundPart("o-1", 50_000, "r-1")).isEqualTo("refunded 50000");
    assertThat(refund("o-1", "r")).isEqualTo("refunded 100000");
    assertThat(refund("o-1", "r")).isEqualTo("refunded 100000");
    assertThat(charge("o-1", "pm_ok", "k")).as("the old charge").isEqualTo("charged 150000");
    assertThat(charge("o-1", "pm_ok", "k-2")).as("a new charge").isEqualTo("refunded");
    assertThat(ledger()).containsExactly("charged k o-1", "refunded r-1 o-1", "refunded r o-1");
  }

  @Test
  void a_refund_before_the_charge_is_a_tombstone() {
    assertThat(refund("o-1", "r")).isEqualTo("refunded 0");
    assertThat(charge("o-1", "pm_ok", "k")).isEqualTo("refunded");
    assertThat(ledger()).isEmpty();
  }

  @Test
  void a_partial_refund_gives_back_no_more_than_there_is() {
    assertThat(refundPart("o-1", 1, "r-1")).isEqualTo("nothing_to_refund");
    charge("o-1", "pm_ok", "k");
    assertThat(refundPart("o-1", 150_001, "r-2")).isEqualTo("refund_exceeds_captured");
    assertThat(refundPart("o-1", 150_000, "r-3")).isEqualTo("refunded 150000");
    assertThat(refundPart("o-1", 1, "r-4")).isEqualTo("refund_exceeds_captured");
  }

  @Test
  void a_bank_that_is_down_does_nothing() {
    weather.change(Map.of("down", true));

    assertThat(charge("o-1", "pm_ok", "k")).isEqualTo("unreachable");
    assertThat(refund("o-1", "r")).isEqualTo("unreachable");
    assertThat(ledger()).isEmpty();
  }
}
