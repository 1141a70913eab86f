package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
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

  @Nested
  class Checked {

    record Nothing() {}

    record Payment(String method, Nothing note) {}

    /// Compared by identity, and a set has no order.
    static final class Basket {
      public Set<String> skus = Set.of("a", "b", "c", "d", "e");
      public Map<String, Integer> counts = Map.of("x", 1, "y", 2);
      public OffsetDateTime at = OffsetDateTime.parse("2026-03-01T12:00:00+07:00");
      public byte[] seal = {1, 2, 3};
    }

    interface Method {
      String name();
    }

    record Card(String name) implements Method {}

    record Paid(Money price, Method method) {}

    record Streamed(Stream<String> skus) {}

    static final class NoCreator {
      private final String name;

      NoCreator(String name) {
        this.name = name;
      }

      NoCreator(String first, String last) {
        this(first + " " + last);
      }

      public String getName() {
        return name;
      }
    }

    static final class Opaque {
      private final String name;

      Opaque() {
        this("");
      }

      Opaque(String name) {
        this.name = name;
      }

      @Override
      public String toString() {
        return name;
      }
    }

    record Wrapped(Money price, Opaque inner) {}

    /// Written by its getter, and read by nobody.
    static final class HalfRead {
      private String text = "";
      public Money price = new Money(5, "EUR");

      public String getName() {
        return text;
      }

      HalfRead named(String name) {
        text = name;
        return this;
      }
    }

    private <D> void check(D data, Class<D> type) {
      codec.check(data, type, codec.encode(data, type));
    }

    @Test
    void data_that_comes_back_passes() {
      check(order, Order.class);
      check("text", String.class);
      check(new Payment("card", new Nothing()), Payment.class);
      check(new Basket(), Basket.class);
    }

    @Test
    void what_nobody_can_make_is_refused() {
      assertThatThrownBy(() -> check(new NoCreator("a", "b"), NoCreator.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("NoCreator cannot be read back from its JSON")
          .hasMessageContaining("Use a record");
    }

    @Test
    void an_interface_is_refused_with_its_field() {
      assertThatThrownBy(() -> check(new Paid(new Money(1, "EUR"), new Card("visa")), Paid.class))
          .hasMessageContaining("Paid cannot be read back from its JSON, at method:");
    }

    @Test
    void a_stream_is_refused_with_its_field() {
      assertThatThrownBy(() -> check(new Streamed(Stream.of("a")), Streamed.class))
          .hasMessageContaining("Streamed")
          .hasMessageContaining("at skus:");
    }

    @Test
    void what_shows_nothing_of_itself_is_refused_with_its_field() {
      assertThatThrownBy(() -> check(new Opaque("a"), Opaque.class))
          .hasMessageContaining("Opaque cannot be written as JSON");
      assertThatThrownBy(
              () -> check(new Wrapped(new Money(1, "EUR"), new Opaque("a")), Wrapped.class))
          .hasMessageContaining("Wrapped cannot be written as JSON, at inner:");
    }

    @Test
    void what_loses_a_value_is_refused_with_its_field() {
      assertThatThrownBy(() -> check(new HalfRead().named("ab"), HalfRead.class))
          .hasMessageContaining("comes back from its JSON without the value of name");
    }
  }
}
