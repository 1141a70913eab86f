package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.DataCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Data as the number under which it is remembered: equal data, equal text. What is poison is
/// encoded to text that no store can hold.
final class ReferenceCodec implements DataCodec {

  private final Map<Object, String> texts = new HashMap<>();
  private final List<Object> values = new ArrayList<>();
  private final Predicate<Object> isPoison;

  ReferenceCodec() {
    this(_ -> false);
  }

  ReferenceCodec(Predicate<Object> isPoison) {
    this.isPoison = isPoison;
  }

  @Override
  public <D> String encode(D data, Class<D> type) {
    return texts.computeIfAbsent(
        data,
        value -> {
          values.add(value);
          return (values.size() - 1) + (isPoison.test(value) ? "\0" : "");
        });
  }

  /// What is poison is for the store to refuse.
  @Override
  public <D> void check(D data, Class<D> type, String text) {}

  @Override
  public <D> D decode(String text, Class<D> type) {
    return type.cast(values.get(Integer.parseInt(text)));
  }
}
