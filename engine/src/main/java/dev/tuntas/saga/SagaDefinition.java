package dev.tuntas.saga;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A saga as its author tells it: the steps in order, and what the world hears. Immutable per name
/// and version; a saga that runs keeps the version it started with.
public final class SagaDefinition<D> {

  private final String name;
  private final int version;
  private final Class<D> dataType;
  private final List<Step<D>> steps;
  private final @Nullable Duration deadline;
  private final Announcer<D> announcer;
  private final Late.Handler<D> onLateSignal;
  private final Map<String, Integer> indexes;
  private final int pivot;

  private SagaDefinition(
      String name,
      int version,
      Class<D> dataType,
      List<Step<D>> steps,
      @Nullable Duration deadline,
      Announcer<D> announcer,
      Late.Handler<D> onLateSignal) {
    this.name = name;
    this.version = version;
    this.dataType = dataType;
    this.steps = steps;
    this.deadline = deadline;
    this.announcer = announcer;
    this.onLateSignal = onLateSignal;
    this.indexes = new HashMap<>();
    int pivotSeen = steps.size();
    for (int i = 0; i < steps.size(); i++) {
      indexes.put(steps.get(i).name(), i);
      if (steps.get(i).isPivot()) pivotSeen = i;
    }
    this.pivot = pivotSeen;
  }

  /// A definition, or an [IllegalArgumentException] that says in a sentence why it cannot be right.
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static <D> SagaDefinition<D> saga(
      String name, int version, Class<D> dataType, Step<D>... steps) {
    var definition =
        new SagaDefinition<>(
            Objects.requireNonNull(name),
            version,
            Objects.requireNonNull(dataType),
            List.copyOf(Arrays.asList(steps)),
            null,
            Announcer.endsAndTrouble(),
            (signal, context) -> new Late.Ignore<>());
    var flaw = Flaws.in(definition);
    if (flaw != null) {
      throw new IllegalArgumentException("saga '" + name + "' version " + version + ": " + flaw);
    }
    return definition;
  }

  /// The whole saga must pass its pivot this long after it was accepted, or it is undone.
  public SagaDefinition<D> deadline(Duration sinceAccepted) {
    return new SagaDefinition<>(
        name, version, dataType, steps, sinceAccepted, announcer, onLateSignal);
  }

  /// Chooses what the world hears. Default: ends, and everything that wants a person.
  public SagaDefinition<D> announce(Announcer<D> with) {
    return new SagaDefinition<>(name, version, dataType, steps, deadline, with, onLateSignal);
  }

  /// Decides about signals that no step waits for. Default: the history keeps them.
  public SagaDefinition<D> onLateSignal(Late.Handler<D> handler) {
    return new SagaDefinition<>(name, version, dataType, steps, deadline, announcer, handler);
  }

  /// The same definition with other calls in its steps: for simulations.
  public SagaDefinition<D> rewired(UnaryOperator<Step<D>> rewire) {
    return new SagaDefinition<>(
        name,
        version,
        dataType,
        steps.stream().map(rewire).toList(),
        deadline,
        announcer,
        onLateSignal);
  }

  public String name() {
    return name;
  }

  public int version() {
    return version;
  }

  public Class<D> dataType() {
    return dataType;
  }

  public List<Step<D>> steps() {
    return steps;
  }

  public @Nullable Duration deadline() {
    return deadline;
  }

  public Announcer<D> announcer() {
    return announcer;
  }

  public Late.Handler<D> onLateSignal() {
    return onLateSignal;
  }

  public int indexOf(String step) {
    var index = indexes.get(step);
    if (index == null) {
      throw new IllegalStateException(
          "saga '" + name + "' version " + version + " has no step '" + step + "'");
    }
    return index;
  }

  /// The step that a signal of this name answers, or -1.
  public int indexOfSignal(String signal) {
    for (int i = 0; i < steps.size(); i++) {
      if (signal.equals(steps.get(i).signal())) return i;
    }
    return -1;
  }

  /// Whether the saga at this step can only go forward.
  public boolean isPastPivot(int index) {
    return index > pivot;
  }

  /// The same for equal shapes; another one when the story was changed.
  public String shapeHash() {
    var shape = steps.stream().map(Step::shape).collect(Collectors.joining("\n"));
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(shape.getBytes(StandardCharsets.UTF_8)), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has SHA-256
    }
  }

  @Override
  public String toString() {
    return name + " v" + version;
  }
}
