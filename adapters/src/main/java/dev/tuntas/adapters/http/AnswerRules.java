package dev.tuntas.adapters.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the status and the code of an answer mean for the effect. The first rule that fits counts.
/// The rules are data: [Reply] looks a meaning up and does not judge.
record AnswerRules(List<Rule> rules) {

  /// What an answer says about the effect.
  enum Meaning {
    /// It happened, if the body fits.
    DONE,
    /// It certainly did not happen, and never will under this key.
    DECLINED,
    /// It happened with an earlier request.
    DUPLICATE,
    /// An earlier request is not finished.
    IN_PROGRESS,
    /// This request had no effect. An earlier one may have had one.
    UNAVAILABLE,
    /// The service refuses our key.
    KEY_REFUSED,
    /// The service asks us to come back later.
    BUSY,
    /// Nobody knows.
    UNCLEAR
  }

  /// @param codes in the body, in lower case; empty if any will do
  record Rule(Set<Integer> statuses, Set<String> codes, Meaning meaning) {

    private boolean fits(int status, @Nullable String code) {
      return statuses.contains(status)
          && (codes.isEmpty() || code != null && codes.contains(code.toLowerCase(Locale.ROOT)));
    }
  }

  /// An earlier request under this key, or about this order, was carried out.
  private static final Set<String> DUPLICATES =
      Set.of(
          "duplicate",
          "duplicate_request",
          "duplicate_error",
          "duplicate_reference",
          "duplicate_order_id",
          "duplicate_invoice_id",
          "already_processed",
          "already_exists",
          "already_charged",
          "already_captured",
          "already_refunded",
          "charge_already_refunded",
          "order_already_charged",
          "order_already_captured");

  private static final Set<String> IN_PROGRESS =
      Set.of(
          "in_progress",
          "request_in_progress",
          "idempotency_in_progress",
          "idempotency_key_in_use",
          "previous_request_in_progress",
          "refund_in_progress",
          "processing",
          "pending");

  /// What services answer with a conflict when they mean no. Any other conflict may be about an
  /// earlier request, so that it says nothing.
  private static final Set<String> NO =
      Set.of(
          "payment_declined",
          "declined",
          "card_declined",
          "insufficient_funds",
          "insufficient_balance",
          "card_expired",
          "expired_card",
          "do_not_honor",
          "generic_decline",
          "fraudulent",
          "out_of_stock",
          "released",
          "refunded",
          "nothing_held",
          "goods_mixed",
          "stock_in_use",
          "nothing_to_refund",
          "refund_exceeds_captured",
          "reserve_expired",
          "booking_cancelled");

  private static final Set<Integer> REFUSALS = Set.of(400, 406, 409, 422);

  /// Those of our own services, and of whoever speaks as they do.
  static final AnswerRules STANDARD =
      new AnswerRules(
          List.of(
              new Rule(Set.of(202, 425), Set.of(), Meaning.IN_PROGRESS),
              new Rule(REFUSALS, DUPLICATES, Meaning.DUPLICATE),
              new Rule(REFUSALS, IN_PROGRESS, Meaning.IN_PROGRESS),
              new Rule(Set.of(402), Set.of(), Meaning.DECLINED),
              new Rule(Set.of(409), NO, Meaning.DECLINED),
              // A proxy saw us leave.
              new Rule(Set.of(408, 409, 499), Set.of(), Meaning.UNCLEAR),
              new Rule(Set.of(401, 403), Set.of(), Meaning.KEY_REFUSED),
              new Rule(Set.of(429), Set.of(), Meaning.BUSY)));

  /// @param code that the body names, if it names one
  Meaning of(int status, @Nullable String code) {
    for (var rule : rules) if (rule.fits(status, code)) return rule.meaning;
    if (status >= 200 && status < 300) return Meaning.DONE;
    if ((status == 400 || status == 422) && code != null) return Meaning.DECLINED;
    return status >= 400 && status < 500 ? Meaning.UNAVAILABLE : Meaning.UNCLEAR;
  }
}
