package dev.tuntas.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.adapters.http.AnswerRules.Meaning;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerRulesTest {

  @ParameterizedTest
  @CsvSource({
    "200, , DONE",
    "201, duplicate, DONE",
    "202, , IN_PROGRESS",
    "425, , IN_PROGRESS",
    "402, insufficient_funds, DECLINED",
    "402, , DECLINED",
    "400, card_expired, DECLINED",
    "422, amount_invalid, DECLINED",
    "409, out_of_stock, DECLINED",
    "409, Insufficient_Funds, DECLINED",
    "409, duplicate, DUPLICATE",
    "422, ORDER_ALREADY_CAPTURED, DUPLICATE",
    "406, duplicate_order_id, DUPLICATE",
    "400, already_processed, DUPLICATE",
    "409, idempotency_key_in_use, IN_PROGRESS",
    "422, previous_request_in_progress, IN_PROGRESS",
    "409, , UNCLEAR",
    "409, something_that_nobody_planned_for, UNCLEAR",
    "408, , UNCLEAR",
    "499, , UNCLEAR",
    "400, , UNAVAILABLE",
    "422, , UNAVAILABLE",
    "404, , UNAVAILABLE",
    "404, duplicate, UNAVAILABLE",
    "410, , UNAVAILABLE",
    "401, , KEY_REFUSED",
    "403, , KEY_REFUSED",
    "429, , BUSY",
    "302, , UNCLEAR",
    "500, payment_declined, UNCLEAR",
    "524, , UNCLEAR",
  })
  void an_answer_means(int status, String code, Meaning meaning) {
    assertThat(AnswerRules.STANDARD.of(status, code)).isEqualTo(meaning);
  }
}
