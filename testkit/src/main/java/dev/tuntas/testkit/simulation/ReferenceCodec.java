package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.DataCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Data as the number under which it is remembered: equal data, equal text.
final class ReferenceCodec implements DataCodec {

  private final Map<Object, String> texts = new HashMap<>();
  private final List<Object> values = new ArrayList<>();

  @Override
  public <D> String encode(D data, Class<D> type) {
    return texts.computeIfAbsent(
        data,
        value -> {
          values.add(value);
          return Integer.toString(values.size() - 1);
        });
  }

  @Override
  public <D> D decode(String text, Class<D> type) {
    return type.cast(values.get(Integer.parseInt(text)));
  }
}
