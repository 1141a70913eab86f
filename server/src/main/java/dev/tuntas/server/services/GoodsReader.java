package dev.tuntas.server.services;

import dev.tuntas.inventory.Goods;
import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.server.http.Fields;
import java.util.List;
import java.util.Optional;

/// Reads goods from a body: `lines`, or a room and its dates.
final class GoodsReader {

  private static final int LINES_MAX = 100;
  private static final int QUANTITY_MAX = 1_000_000;

  private GoodsReader() {}

  static Goods required(Fields fields) {
    return fields.has("room_id") ? stay(fields) : new Lines(lines(fields, 1));
  }

  /// Nothing, if the body names no goods at all.
  static Optional<Goods> optional(Fields fields) {
    return fields.has("room_id") || fields.has("lines")
        ? Optional.of(required(fields))
        : Optional.empty();
  }

  static List<Line> lines(Fields fields, int least) {
    return fields.objects("lines", least, LINES_MAX, "lines_invalid").stream()
        .map(line -> new Line(line.id("sku"), quantity(line, "quantity")))
        .toList();
  }

  private static Stay stay(Fields fields) {
    return new Stay(
        fields.id("room_id"),
        quantity(fields, "rooms"),
        fields.date("check_in"),
        fields.date("check_out"));
  }

  private static int quantity(Fields fields, String name) {
    return Math.toIntExact(fields.wholeNumber(name, 1, QUANTITY_MAX));
  }
}
