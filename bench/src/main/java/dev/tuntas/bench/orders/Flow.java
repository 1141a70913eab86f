package dev.tuntas.bench.orders;

import static java.util.stream.Collectors.joining;

import dev.tuntas.bench.orders.OrderWorld.Story;
import dev.tuntas.testkit.checkout.CheckoutWorld;
import dev.tuntas.testkit.simulation.Exploration;
import dev.tuntas.testkit.simulation.Tally;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// What can be simulated.
public enum Flow {
  /// A checkout whose bank and definition differ from seed to seed, to stretch the engine.
  CHECKOUT {
    @Override
    Exploration<?> explore() {
      return Exploration.in(CheckoutWorld::new);
    }
  },
  PAY_FIRST {
    @Override
    Exploration<?> explore() {
      return orders(Story.PAY_FIRST);
    }
  },
  RESERVE_FIRST {
    @Override
    Exploration<?> explore() {
      return orders(Story.RESERVE_FIRST);
    }
  },
  BOOKING {
    @Override
    Exploration<?> explore() {
      return orders(Story.BOOKING);
    }
  },
  RIDE {
    @Override
    Exploration<?> explore() {
      return Exploration.in(RideWorld::new);
    }
  };

  abstract Exploration<?> explore();

  private static Exploration<?> orders(Story story) {
    return Exploration.in((outside, random) -> new OrderWorld(story, outside, random));
  }

  /// As on the command line.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Reads one from the command line, or all of them.
  public static final class Reader implements ITypeConverter<Set<Flow>> {

    private static final String ALL = "all";

    @Override
    public Set<Flow> convert(String text) {
      if (text.equals(ALL)) return EnumSet.allOf(Flow.class);
      for (var flow : values()) if (flow.toString().equals(text)) return EnumSet.of(flow);
      var known = Stream.of(values()).map(Flow::toString).collect(joining(", "));
      throw new TypeConversionException(
          "'" + text + "' is no flow; there are " + known + " and " + ALL);
    }
  }

  /// Runs of one thread.
  public static final class Runs {

    private final List<Flow> turns;
    private final Map<Flow, Exploration<?>> explorations = new EnumMap<>(Flow.class);

    /// These flows take turns: which one a seed is of is the same in every run.
    public Runs(Set<Flow> flows) {
      this.turns = List.copyOf(flows);
    }

    /// Runs one seed; what it violates is an [AssertionError].
    public void seed(long seed) {
      var flow = turns.get((int) Math.floorMod(seed, (long) turns.size()));
      explorations.computeIfAbsent(flow, Flow::explore).seed(seed);
    }

    public List<Tally> tallies() {
      return explorations.values().stream().<Tally>map(Exploration::tally).toList();
    }
  }
}
