package dev.tuntas.payment;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.saga.Outcome;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What was asked of the bank under one key, and what it said.
///
/// @param amount what is charged or refunded; of a whole refund under way, what it may give back
/// @param code why it was declined
record Entry(
    Operation operation,
    String key,
    String fingerprint,
    String orderId,
    String transactionId,
    @Nullable String method,
    boolean whole,
    Money amount,
    Status status,
    @Nullable String code,
    @Nullable String detail) {

  enum Operation {
    CHARGE,
    REFUND;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  enum Status {
    /// It may have happened.
    SENT,
    DONE,
    DECLINED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final String COLUMNS =
      "operation, key, fingerprint, order_id, transaction_id, method, whole, amount, currency,"
          + " status, code, detail";

  private static final int ID_BYTES = 13;

  static Entry of(Charge charge, String key) {
    var amount = charge.amount();
    var asked = say(amount) + say(charge.orderId()) + charge.paymentMethod();
    return new Entry(
        Operation.CHARGE,
        key,
        asked,
        charge.orderId(),
        id("pay_", key),
        charge.paymentMethod(),
        false,
        amount,
        Status.SENT,
        null,
        null);
  }

  /// A whole refund is the same whatever amount it names.
  static Entry of(Refund refund, String key) {
    var asked = (refund.whole() ? "whole " : say(refund.amount())) + say(refund.orderId());
    return new Entry(
        Operation.REFUND,
        key,
        asked,
        refund.orderId(),
        id("ref_", key),
        null,
        refund.whole(),
        refund.amount(),
        Status.SENT,
        null,
        null);
  }

  private static String say(Money money) {
    return money.amount() + " " + money.currency() + " ";
  }

  /// With its length, so that no two requests are written alike.
  private static String say(String text) {
    return text.length() + ":" + text + " ";
  }

  /// The same for the same key, so that a repeated answer repeats the id.
  private static String id(String prefix, String key) {
    try {
      var digest =
          MessageDigest.getInstance("SHA-256")
              .digest((prefix + key).getBytes(StandardCharsets.UTF_8));
      return prefix + HexFormat.of().formatHex(digest, 0, ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  static Entry read(ResultSet row) throws SQLException {
    return new Entry(
        Operation.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getBoolean(7),
        new Money(row.getLong(8), row.getString(9)),
        Status.valueOf(row.getString(10).toUpperCase(Locale.ROOT)),
        row.getString(11),
        row.getString(12));
  }

  Entry withAmount(Money other) {
    return new Entry(
        operation,
        key,
        fingerprint,
        orderId,
        transactionId,
        method,
        whole,
        other,
        status,
        code,
        detail);
  }

  boolean isSent() {
    return status == Status.SENT;
  }

  Receipt receipt() {
    return new Receipt(
        transactionId, amount, operation == Operation.CHARGE ? "charged" : "refunded");
  }

  /// What its caller is told.
  Outcome<Receipt> answer() {
    return switch (status) {
      case SENT -> Outcome.pending("the bank has not given a clear answer yet");
      case DONE -> Outcome.done(receipt());
      case DECLINED -> Outcome.declined(text(code), text(detail));
    };
  }

  private static String text(@Nullable String stored) {
    return stored == null ? "" : stored;
  }
}
