package dev.tuntas.inventory;

import dev.tuntas.inventory.Inventory.Request;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// An inventory as a child would keep it: every unit is a piece that lies free, is held for an
/// order, or is gone with one. Slow, and easy to believe.
final class StockModel {

  private record Piece(String state, String order) {
    static final Piece FREE = new Piece("free", "");
  }

  private record Told(String question, String answer) {}

  private Map<String, Piece[]> pieces = new TreeMap<>();
  private final Map<String, Long> expiry = new HashMap<>();
  private final Set<String> kept = new HashSet<>();
  private final Set<String> released = new HashSet<>();
  private final Map<String, Told> told = new HashMap<>();

  void put(Shelf shelf, int count) {
    var free = new Piece[count];
    Arrays.fill(free, Piece.FREE);
    pieces.put(shelf.toString(), free);
  }

  String ask(String operation, Request request, String key, long now) {
    var order = request.orderId();
    var question = order + Wanted.of(request.goods());
    var before = told.get(operation + key);
    if (before != null && !before.question.equals(question)) return "idempotency_key_reused";
    if (before != null && before.answer.equals("out_of_stock")) return before.answer;
    if (released.contains(order)) return "released";
    if (before != null) return before.answer;
    var saved = copy();
    var answer =
        switch (operation) {
          case "reserve", "keep" -> hold(request, operation.equals("keep"), now);
          default -> take(request, operation.equals("confirm") ? "confirmed" : "committed");
        };
    if (answer.equals("out_of_stock")) pieces = saved;
    told.put(operation + key, new Told(question, answer));
    return answer;
  }

  private String hold(Request request, boolean keep, long now) {
    var order = request.orderId();
    boolean wasKept = kept.contains(order) && count("held", order) > 0;
    change("held", order, Piece.FREE);
    if (!grab(request, "held")) return "out_of_stock";
    kept.remove(order);
    expiry.remove(order);
    if (keep || wasKept) {
      kept.add(order);
      return "held for ever";
    }
    long until = now + StockSettings.defaults().holdTtl().toMillis();
    expiry.put(order, until);
    return "held until " + until;
  }

  private String take(Request request, String result) {
    var before = count("taken", request.orderId());
    change("held", request.orderId(), Piece.FREE);
    if (!grab(request, "taken")) return "out_of_stock";
    return count("taken", request.orderId()) == before ? "already_" + result : result;
  }

  /// Lays hands on what the order has not taken yet.
  private boolean grab(Request request, String state) {
    var order = request.orderId();
    for (var wanted : Wanted.of(request.goods()).entrySet()) {
      var shelf = pieces.get(wanted.getKey().toString());
      long missing = wanted.getValue() - List.of(shelf).stream().filter(is("taken", order)).count();
      for (int i = 0; i < shelf.length && missing > 0; i++) {
        if (!shelf[i].equals(Piece.FREE)) continue;
        shelf[i] = new Piece(state, order);
        missing--;
      }
      if (missing > 0) return false;
    }
    return true;
  }

  String release(String order, String key) {
    var before = told.get("release" + key);
    if (before != null && !before.question.equals(order)) return "idempotency_key_reused";
    if (!released.add(order)) return "already_released";
    change("held", order, Piece.FREE);
    change("taken", order, Piece.FREE);
    told.put("release" + key, new Told(order, "released"));
    return "released";
  }

  void expire(long now) {
    for (var entry : expiry.entrySet()) {
      boolean late = entry.getValue() <= now && !kept.contains(entry.getKey());
      if (late) change("held", entry.getKey(), Piece.FREE);
    }
  }

  private static Predicate<Piece> is(String state, String order) {
    return new Piece(state, order)::equals;
  }

  private long count(String state, String order) {
    return pieces.values().stream()
        .flatMap(shelf -> List.of(shelf).stream())
        .filter(is(state, order))
        .count();
  }

  private void change(String state, String order, Piece to) {
    for (var shelf : pieces.values()) {
      for (int i = 0; i < shelf.length; i++) {
        if (is(state, order).test(shelf[i])) shelf[i] = to;
      }
    }
  }

  private Map<String, Piece[]> copy() {
    var copy = new TreeMap<String, Piece[]>();
    pieces.forEach((shelf, all) -> copy.put(shelf, all.clone()));
    return copy;
  }

  /// Available, held and committed.
  List<Long> look(Shelf shelf) {
    var all = List.of(pieces.get(shelf.toString()));
    return List.of("free", "held", "taken").stream()
        .map(state -> all.stream().filter(piece -> piece.state.equals(state)).count())
        .toList();
  }
}
