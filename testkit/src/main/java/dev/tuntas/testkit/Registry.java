package dev.tuntas.testkit;

import dev.tuntas.engine.SagaStore.Shape;
import dev.tuntas.engine.SagaStore.Unknown;
import dev.tuntas.engine.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/// The numbers of definitions and lanes, given once and for ever.
final class Registry {

  private record Name(String name, int version) {}

  private record Definition(int kind, Shape shape) {}

  private final Map<Name, Definition> definitions = new LinkedHashMap<>();
  private final Map<String, Integer> lanes = new LinkedHashMap<>(Map.of("", 0));

  Map<Shape, Integer> register(Collection<Shape> shapes) {
    var before = new LinkedHashMap<>(definitions);
    try {
      var numbers = new LinkedHashMap<Shape, Integer>();
      for (var shape : shapes) numbers.put(shape, number(shape));
      return numbers;
    } catch (StoreException refused) {
      definitions.clear();
      definitions.putAll(before);
      throw refused;
    }
  }

  Map<String, Integer> lanes(Collection<String> names) {
    var numbers = new LinkedHashMap<String, Integer>();
    for (var name : names) {
      numbers.put(name, lanes.computeIfAbsent(name, _ -> lanes.size()));
    }
    return numbers;
  }

  List<Unknown> unknown(Set<Integer> kinds, NavigableMap<Integer, Long> unfinished) {
    var unknown = new ArrayList<Unknown>();
    for (var definition : definitions.values()) {
      long sagas = unfinished.getOrDefault(definition.kind(), 0L);
      var shape = definition.shape();
      if (sagas > 0 && !kinds.contains(definition.kind())) {
        unknown.add(new Unknown(shape.name(), shape.version(), sagas));
      }
    }
    return unknown;
  }

  private int number(Shape shape) {
    var definition =
        definitions.computeIfAbsent(
            new Name(shape.name(), shape.version()),
            _ -> new Definition(definitions.size() + 1, shape));
    if (definition.shape().equals(shape)) return definition.kind();
    throw new StoreException(
        StoreException.Kind.BAD_DATA,
        "saga '%s' version %d is stored with another shape: give the changed one a new version"
            .formatted(shape.name(), shape.version()),
        null);
  }
}
