package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JacksonDataCodecTest {

  record Money(long minorUnits, String currency) {}

  record Order(
      String orderId,
      Money totalPrice,
      Instant acceptedAt,
      LocalDate day,
      Duration patience,
      List<String> skus,
      Optional<String> note) {}

  private final JacksonDataCodec codec = new JacksonDataCodec();

  private final Order order =
      new Order(
          "o-1",
          new Money(129_900, "IDR"),
          Instant.parse("2026-03-01T12:00:00.123Z"),
          LocalDate.of(2026, 3, 1),
          Duration.ofMinutes(30),
          List.of("a", "b"),
          Optional.empty());

  @Test
  void data_is_snake_case_with_iso_times() {
    assertThat(codec.encode(order, Order.class))
        .contains("\"order_id\":\"o-1\"")
        .contains("\"minor_units\":129900")
        .contains("\"accepted_at\":\"2026-03-01T12:00:00.123Z\"")
        .contains("\"day\":\"2026-03-01\"")
        .contains("\"patience\":\"PT30M\"");
  }

  @Test
  void data_comes_back_as_it_was() {
    assertThat(codec.decode(codec.encode(order, Order.class), Order.class)).isEqualTo(order);
  }

  @Test
  void what_a_newer_program_added_is_ignored() {
    assertThat(codec.decode("{\"minor_units\":5,\"currency\":\"EUR\",\"vat\":1}", Money.class))
        .isEqualTo(new Money(5, "EUR"));
  }

  @Test
  void text_that_is_not_the_data_says_so() {
    assertThatThrownBy(() -> codec.decode("{\"minor_units\":\"many\"}", Money.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a " + Money.class.getName());
    assertThatThrownBy(() -> codec.decode("", Money.class))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
