package dev.tuntas.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.money.Money;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldsTest {

  @ParameterizedTest
  @ValueSource(strings = {"2", "2.0", "2e0", "0.2e1", "20E-1"})
  void every_way_to_write_two_is_a_whole_number(String two) {
    var fields = fields("{\"n\":" + two + "}");
    assertThat(fields.wholeNumber("n", 1, 10)).isEqualTo(2);
    fields.finish();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "2"                  | field_type
          2.5                  | field_type
          true                 | field_type
          {}                   | field_type
          [2]                  | field_type
          1e-400               | field_type
          null                 | field_required
          0                    | out_of_range
          -0                   | out_of_range
          -1                   | out_of_range
          2147483648           | out_of_range
          9223372036854775808  | out_of_range
          1e400                | out_of_range
          1e999999999          | out_of_range
          -1e999999999         | out_of_range
          """)
  void what_is_not_a_whole_number_in_range_is_refused(String value, String code) {
    assertThat(problem("{\"n\":" + value + "}", it -> it.wholeNumber("n", 1, 1000)).code())
        .isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          \\u0000    | text_invalid
          a\\u0007b  | text_invalid
          \\ud800    | text_invalid
          \\udc00a   | text_invalid
          \\u202ea   | text_invalid
          \\u2066a   | text_invalid
          a\\u007f   | text_invalid
          12345678901| too_long
          """)
  void texts_that_could_harm_are_refused(String text, String code) {
    assertThat(problem("{\"t\":\"" + text + "\"}", it -> it.text("t", 10)).code()).isEqualTo(code);
  }

  @Test
  void many_combining_marks_are_refused_and_a_few_are_not() {
    assertThat(problem("{\"t\":\"a" + "\\u0301".repeat(50) + "\"}", it -> it.text("t", 100)).code())
        .isEqualTo("text_invalid");
    var fields = fields("{\"t\":\"Nguye\\u0302\\u0303n\"}");
    assertThat(fields.text("t", 100)).isEqualTo("Nguye\u0302\u0303n");
    fields.finish();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"'; drop table x", "<script>", "${jndi:ldap://x}", "{{7*7}}", "=cmd|x", "😀 日本"})
  void texts_that_are_only_odd_are_taken_as_they_are(String text) {
    var fields = fields("{\"t\":\"" + text + "\"}");
    assertThat(fields.text("t", 100)).isEqualTo(text);
    fields.finish();
  }

  @Test
  void all_mistakes_are_told_at_once_with_their_pointers() {
    var problem =
        problem(
            "{\"lines\":[{\"sku\":\"A\",\"n\":1},{\"n\":0,\"x/y\":1}],\"a~b\":2}",
            it -> {
              it.id("customer");
              for (var line : it.objects("lines", 1, 5, "lines_invalid")) {
                line.id("sku");
                line.wholeNumber("n", 1, 9);
              }
            });
    assertThat(problem.status()).isEqualTo(400);
    assertThat(problem.code()).isEqualTo("unknown_field");
    assertThat(problem.errors())
        .extracting(error -> error.pointer() + " " + error.code())
        .containsExactlyInAnyOrder(
            "/a~0b unknown_field",
            "/lines/1/x~1y unknown_field",
            "/customer field_required",
            "/lines/1/sku field_required",
            "/lines/1/n out_of_range");
  }

  @Test
  void a_missing_object_is_one_mistake_and_not_one_for_each_of_its_fields() {
    var problem =
        problem("{}", it -> it.object("place").number("latitude", -90, 90, "location_invalid"));
    assertThat(problem.errors()).extracting(Problem.FieldError::pointer).containsExactly("/place");
  }

  @ParameterizedTest
  @ValueSource(strings = {"91", "-90.0001", "1e400"})
  void a_number_out_of_range_has_the_code_of_its_kind(String latitude) {
    assertThat(
            problem(
                    "{\"latitude\":" + latitude + "}",
                    it -> it.number("latitude", -90, 90, "location_invalid"))
                .code())
        .isEqualTo("location_invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"2026-02-30", "2026-13-01", "20260101", "2026-01-01T00:00:00Z", "tomorrow"})
  void a_day_that_does_not_exist_is_refused(String day) {
    assertThat(problem("{\"day\":\"" + day + "\"}", it -> it.date("day")).code())
        .isEqualTo("time_invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-01T00:00:00",
        "9999-01-01T00:00:00Z",
        "1900-01-01T00:00:00Z",
        "2026-06-30T23:59:60Z"
      })
  void a_time_without_a_zone_or_beyond_reason_is_refused(String time) {
    assertThat(problem("{\"at\":\"" + time + "\"}", it -> it.optionalTime("at")).code())
        .isEqualTo("time_invalid");
  }

  @Test
  void days_and_times_are_read() {
    var fields = fields("{\"day\":\"2027-01-10\",\"at\":\"2027-01-10T07:00:00+07:00\"}");
    assertThat(fields.date("day")).isEqualTo(LocalDate.of(2027, 1, 10));
    assertThat(fields.optionalTime("at")).hasValue(Instant.parse("2027-01-10T00:00:00Z"));
    fields.finish();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nobody", "a@b", "a@b..c", "a b@c.de", "a@c.de\\r\\nBcc: x@y.zz", "@c.de"})
  void what_is_no_mail_address_is_refused(String email) {
    assertThat(problem("{\"email\":\"" + email + "\"}", it -> it.optionalEmail("email")).code())
        .isEqualTo("contact_invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"12", "call me", "+62 812\\n34", "+"})
  void what_is_no_phone_number_is_refused(String phone) {
    assertThat(problem("{\"phone\":\"" + phone + "\"}", it -> it.optionalPhone("phone")).code())
        .isEqualTo("contact_invalid");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -1             | "IDR" | amount_invalid
          1000000000001  | "IDR" | amount_invalid
          1.5            | "IDR" | field_type
          "0.1e1"        | "IDR" | field_type
          5              | "idr" | currency_invalid
          5              | "XXX" | currency_invalid
          5              | "US"  | currency_invalid
          5              | "ІDR" | currency_invalid
          """)
  void money_that_cannot_be_is_refused(String amount, String currency, String code) {
    var json = "{\"price\":{\"amount\":" + amount + ",\"currency\":" + currency + "}}";
    assertThat(problem(json, it -> it.money("price")).code()).isEqualTo(code);
  }

  @Test
  void money_is_read() {
    var fields = fields("{\"price\":{\"amount\":150000,\"currency\":\"IDR\"}}");
    assertThat(fields.money("price")).isEqualTo(new Money(150_000, "IDR"));
    fields.finish();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 101})
  void a_list_of_another_length_has_its_own_code(int size) {
    var list = "{},".repeat(size).replaceFirst(",$", "");
    assertThat(
            problem(
                    "{\"lines\":[" + list + "]}",
                    it -> it.objects("lines", 1, 100, "lines_invalid"))
                .code())
        .isEqualTo("lines_invalid");
  }

  private static Fields fields(String json) {
    return Fields.of(StrictJson.object(json.getBytes(StandardCharsets.UTF_8)));
  }

  private static Problem problem(String json, Consumer<Fields> reading) {
    var fields = fields(json);
    reading.accept(fields);
    return catchThrowableOfType(ProblemException.class, fields::finish).problem();
  }
}
