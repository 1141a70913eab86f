package dev.tuntas.inventory;

import static java.util.Collections.emptySortedMap;

import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.money.Money;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// What is asked for an order, under a key. Questions that mean the same have one fingerprint.
record Question(
    String operation,
    String key,
    String orderId,
    SortedMap<Shelf, Long> wanted,
    String fingerprint) {

  static Question of(String operation, Request request, String key) {
    return of(operation, request.orderId(), key, Wanted.of(request.goods()), request.total());
  }

  static Question release(String orderId, String key) {
    return of("release", orderId, key, emptySortedMap(), null);
  }

  private static Question of(
      String operation,
      String orderId,
      String key,
      SortedMap<Shelf, Long> wanted,
      @Nullable Money total) {
    Wanted.requireKey("order_id", orderId);
    Wanted.requireKey("idempotency_key", key);
    var fingerprint = digest(orderId + "\n" + wanted + "\n" + (total == null ? "" : total));
    return new Question(operation, key, orderId, wanted, fingerprint);
  }

  private static String digest(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /// What is attempted, for people.
  @Override
  public String toString() {
    return operation + " for " + orderId;
  }
}
