package dev.tuntas.server.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a client may get wrong about an order. None of it leaves a trace, and the key stays free.
class BadOrdersTest {

  private static final String GOOD =
      """
      {"kind":"checkout","customer_id":"cus-1","payment_method":"pm_ok",
       "lines":[{"sku":"SKU-1","quantity":1}]}\
      """;
  private static final String ROOM =
      """
      {"kind":"booking","customer_id":"cus-1","payment_method":"pm_ok","room_id":"ROOM-STD",
       "rooms":1,"check_in":"day+40","check_out":"day+42"}\
      """;

  /// Replaces a piece of a good order; `#` stands for a quotation mark.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | unknown_field          | {#kind#  | {#isAdmin#:true,#kind#
          400 | unknown_field          | {#kind#  | {#price#:1,#kind#
          400 | unknown_field          | {#kind#  | {#state#:#COMPLETED#,#kind#
          400 | unknown_field          | #sku#    | #discount#:1,#sku#
          422 | field_required         | #customer_id#:#cus-1#, | ''
          422 | field_required         | #cus-1#  | null
          422 | field_required         | #payment_method#:#pm_ok#, | ''
          422 | field_required         | #kind#:#checkout#, | ''
          422 | out_of_range           | #checkout# | #gift#
          422 | out_of_range           | #checkout# | #Checkout#
          422 | field_type             | #cus-1#  | 7
          422 | text_invalid           | #cus-1#  | # #
          422 | text_invalid           | #cus-1#  | #a b#
          422 | text_invalid           | #cus-1#  | #a\\u0000b#
          422 | text_invalid           | #cus-1#  | #\\ud800#
          422 | text_invalid           | #cus-1#  | #\\u202eabc#
          422 | too_long               | #cus-1#  | #aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa#
          422 | payment_method_invalid | #pm_ok#  | #pm_unknown#
          422 | field_type             | :1}      | :#2#}
          422 | field_type             | :1}      | :2.5}
          422 | field_type             | :1}      | :true}
          422 | field_type             | :1}      | :{}}
          422 | out_of_range           | :1}      | :0}
          422 | out_of_range           | :1}      | :-1}
          422 | out_of_range           | :1}      | :2147483648}
          422 | out_of_range           | :1}      | :9223372036854775808}
          422 | out_of_range           | :1}      | :1e400}
          422 | out_of_range           | :1}      | :-0}
          422 | lines_invalid          | [{#sku#:#SKU-1#,#quantity#:1}] | []
          422 | field_type             | [{#sku#:#SKU-1#,#quantity#:1}] | {}
          422 | field_type             | [{#sku#:#SKU-1#,#quantity#:1}] | [7]
          422 | field_required         | [{#sku#:#SKU-1#,#quantity#:1}] | null
          422 | lines_invalid          | :1}]     | :1},{#sku#:#SKU-1#,#quantity#:2}]
          422 | sku_unknown            | #SKU-1#  | #SKU-99#
          422 | sku_unknown            | #SKU-1#  | #ROOM-STD#
          422 | contact_invalid        | {#kind#  | {#contact#:{#email#:#nonsense#},#kind#
          422 | contact_invalid        | {#kind#  | {#contact#:{#email#:#a@b.c\\r\\nBcc: x@y.z#},#kind#
          422 | contact_invalid        | {#kind#  | {#contact#:{#phone#:#call me#},#kind#
          400 | unknown_field          | {#kind#  | {#contact#:{#fax#:#1#},#kind#
          """)
  void of_a_checkout(int status, String code, String piece, String instead) {
    refused(GOOD, status, code, piece, instead);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          422 | time_invalid   | day+40     | 2020-01-10
          422 | time_invalid   | day+40     | 9999-01-10
          422 | time_invalid   | day+40     | 2027-02-30
          422 | time_invalid   | day+40     | tomorrow
          422 | time_invalid   | day+40     | day+40T10:00:00Z
          422 | time_invalid   | day+42     | day+40
          422 | time_invalid   | day+42     | day+39
          422 | time_invalid   | day+42     | day+71
          422 | field_required | #rooms#:1, | ''
          422 | out_of_range   | #rooms#:1  | #rooms#:0
          422 | out_of_range   | #rooms#:1  | #rooms#:101
          422 | room_unknown   | ROOM-STD   | ROOM-NONE
          422 | room_unknown   | ROOM-STD   | SKU-1
          400 | unknown_field  | {#kind#    | {#lines#:[],#kind#
          """)
  void of_a_booking(int status, String code, String piece, String instead) {
    refused(dated(ROOM), status, code, dated(piece), dated(instead));
  }

  /// `day+7` is a week from today.
  private static String dated(String text) {
    var today = LocalDate.now(ZoneOffset.UTC);
    return Pattern.compile("day\\+(\\d+)")
        .matcher(text)
        .replaceAll(it -> today.plusDays(Long.parseLong(it.group(1))).toString());
  }

  private static void refused(String good, int status, String code, String piece, String instead) {
    var from = piece.replace('#', '"');
    assertThat(good).contains(from);
    var key = Orders.newKey();
    var answer = Orders.ofClient().place(good.replace(from, instead.replace('#', '"')), key);

    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.header("Content-Type")).contains("application/problem+json");
    assertThat(answer.json().path("detail").asString()).isNotBlank();
    assertThat(Orders.ofClient().place(good, key).status()).isEqualTo(202);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          404 | not_found         | /api/v1/orders/ord_01arz3ndektsv4rrffq69g5fav
          404 | not_found         | /api/v1/orders/1
          404 | not_found         | /api/v1/orders/%00
          404 | not_found         | /api/v1/orders/..%2f..%2fadmin
          404 | not_found         | /api/v1/orders/'%20or%201=1
          404 | not_found         | /api/v1/orders/
          404 | not_found         | /api/v1//orders
          404 | not_found         | /API/v1/orders
          404 | not_found         | /api/v1/orders;jsessionid=1
          400 | limit_invalid     | /api/v1/orders?limit=0
          400 | limit_invalid     | /api/v1/orders?limit=-1
          400 | limit_invalid     | /api/v1/orders?limit=1e9
          400 | limit_invalid     | /api/v1/orders?limit=abc
          400 | limit_invalid     | /api/v1/orders?limit=101
          400 | cursor_invalid    | /api/v1/orders?cursor=abc
          400 | parameter_invalid | /api/v1/orders?sort=price
          400 | parameter_invalid | /api/v1/orders?kind=checkout&kind=booking
          400 | parameter_invalid | /api/v1/orders?status=LOST
          400 | parameter_invalid | /api/v1/orders?kind=gift
          400 | parameter_invalid | /api/v1/orders?needs_attention=maybe
          """)
  void of_an_address(int status, String code, String path) {
    var answer = Client.client().get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
  }

  @Test
  void what_looks_like_an_attack_is_a_name_like_any_other() {
    var body = GOOD.replace("cus-1", "x--drop.table:_7");
    var answer = Orders.ofClient().placeAndWait(body);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.json().path("customer_id").asString()).isEqualTo("x--drop.table:_7");
  }

  @Test
  void too_many_lines_are_refused_and_a_hundred_are_not() {
    assertThat(lines(101).status()).isEqualTo(422);
    assertThat(lines(101).code()).isEqualTo("lines_invalid");
    assertThat(lines(100).code()).isEqualTo("sku_unknown");
  }

  private static dev.tuntas.server.Answer lines(int count) {
    var lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(i == 0 ? "" : ",").append("{\"sku\":\"S").append(i).append("\",\"quantity\":1}");
    }
    var body = GOOD.replace("{\"sku\":\"SKU-1\",\"quantity\":1}", lines);
    return Orders.ofClient().place(body, Orders.newKey());
  }
}
