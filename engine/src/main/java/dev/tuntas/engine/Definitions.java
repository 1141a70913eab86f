package dev.tuntas.engine;

import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The definitions that this program can run, with their numbers in the store.
final class Definitions {

  private final Map<Integer, SagaDefinition<?>> byKind = new HashMap<>();
  private final Map<SagaDefinition<?>, Integer> kinds = new HashMap<>();

  private Definitions() {}

  static Definitions register(SagaStore store, Collection<? extends SagaDefinition<?>> sagas) {
    var shapes = new LinkedHashMap<SagaStore.Shape, SagaDefinition<?>>();
    for (var saga : sagas) {
      var shape = new SagaStore.Shape(saga.name(), saga.version(), saga.shapeHash());
      if (shapes.put(shape, saga) != null) {
        throw new IllegalArgumentException(saga + " was given twice");
      }
    }
    var definitions = new Definitions();
    store
        .register(shapes.keySet())
        .forEach((shape, kind) -> definitions.add(kind, shapes.get(shape)));
    return definitions;
  }

  private void add(int kind, @Nullable SagaDefinition<?> saga) {
    if (saga == null) throw new IllegalStateException("the store numbered a strange definition");
    byKind.put(kind, saga);
    kinds.put(saga, kind);
  }

  int kindOf(SagaDefinition<?> saga) {
    var kind = kinds.get(saga);
    if (kind == null) throw new IllegalArgumentException(saga + " was not given to this engine");
    return kind;
  }

  SagaDefinition<?> of(int kind) {
    var saga = byKind.get(kind);
    if (saga == null) throw new IllegalStateException("no definition has the number " + kind);
    return saga;
  }

  boolean knows(int kind) {
    return byKind.containsKey(kind);
  }

  Set<Integer> kinds() {
    return Set.copyOf(byKind.keySet());
  }

  /// The names of all lanes, the open one included.
  Set<String> lanes() {
    var names = new TreeSet<>(Set.of(""));
    byKind.values().forEach(saga -> saga.steps().stream().map(Step::lane).forEach(names::add));
    return names;
  }
}
