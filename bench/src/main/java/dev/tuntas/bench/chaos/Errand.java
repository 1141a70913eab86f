package dev.tuntas.bench.chaos;

import java.time.LocalDate;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/// What one customer sets out to do: an order, and how to behave about it.
///
/// @param key unique for its client, and the same however often the order is sent
public record Errand(long no, int client, String key, String body, Manner manner, long seed) {

  /// How a customer behaves once the order is sent.
  public enum Manner {
    /// Goes away with the first answer.
    TRUSTS,
    /// Sends the same order again.
    REPEATS,
    /// Sends it with `Prefer: wait`, and again if told that it is being processed.
    WAITS,
    /// Looks again and again until it has ended.
    WATCHES,
    /// Changes its mind.
    CANCELS
  }

  public static final int CLIENTS = 2;

  private static final int RARE_PERCENT = 8;
  private static final int RIDE_PERCENT = 20;
  private static final int BOOKING_PERCENT = 25;
  private static final int DAYS = 40;
  private static final int NIGHTS_MAX = 3;
  private static final int ITEMS = 20;
  private static final int LINES_MAX = 3;

  /// An order drawn by its number. Two clients use the same keys: they are none of each other's
  /// business.
  static Errand drawn(long no, RandomGenerator random, LocalDate today) {
    var body = body(no, random, today);
    var manners = Manner.values();
    return new Errand(
        no,
        (int) (no % CLIENTS),
        "errand-" + no / CLIENTS,
        body,
        manners[random.nextInt(manners.length)],
        random.nextLong());
  }

  private static String body(long no, RandomGenerator random, LocalDate today) {
    int drawn = random.nextInt(100);
    if (drawn < RIDE_PERCENT) return ride(no, random);
    return drawn < RIDE_PERCENT + BOOKING_PERCENT
        ? booking(no, random, today)
        : checkout(no, random);
  }

  /// From the middle of Jakarta, where most people want to go away from.
  private static String ride(long no, RandomGenerator random) {
    var payments = List.of("PAID", "SETTLEMENT", "PENDING", "UNPAID");
    return """
    {"kind":"ride","customer_id":"cus-%d","service_type":"RIDE","channel":"MYBB",\
    "pickup_location":{"latitude":-6.2088,"longitude":106.8456},\
    "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},\
    "payment":{"status":"%s","amount":%d,"currency":"IDR"}}\
    """
        .formatted(no, payments.get(random.nextInt(payments.size())), 50_000 + no);
  }

  private static String method(RandomGenerator random) {
    int drawn = random.nextInt(100);
    if (drawn < 64) return "pm_ok";
    if (drawn < 78) return "pm_declined";
    if (drawn < 88) return "pm_lost_reply";
    if (drawn < 94) return "pm_unavailable";
    return drawn < 98 ? "pm_slow" : "pm_never";
  }

  private static String checkout(long no, RandomGenerator random) {
    return """
    {"kind":"checkout","customer_id":"cus-%d","payment_method":"%s","cart_id":"cart-%d","lines":[%s]}\
    """
        .formatted(no, method(random), no, lines(random));
  }

  private static String lines(RandomGenerator random) {
    if (random.nextInt(100) < RARE_PERCENT) return line("SKU-RARE", 1);
    return random
        .ints(1, ITEMS + 1)
        .distinct()
        .limit(1 + random.nextInt(LINES_MAX))
        .mapToObj(kind -> line("SKU-" + kind, 1 + random.nextInt(LINES_MAX)))
        .collect(Collectors.joining(","));
  }

  private static String line(String sku, int quantity) {
    return "{\"sku\":\"%s\",\"quantity\":%d}".formatted(sku, quantity);
  }

  private static String booking(long no, RandomGenerator random, LocalDate today) {
    var from = today.plusDays(2 + random.nextInt(DAYS));
    var room = random.nextBoolean() ? "ROOM-STD" : "ROOM-DLX";
    return """
    {"kind":"booking","customer_id":"cus-%d","payment_method":"%s","room_id":"%s","rooms":%d,"check_in":"%s","check_out":"%s"}\
    """
        .formatted(
            no,
            method(random),
            room,
            1 + random.nextInt(2),
            from,
            from.plusDays(1 + random.nextInt(NIGHTS_MAX)));
  }
}
