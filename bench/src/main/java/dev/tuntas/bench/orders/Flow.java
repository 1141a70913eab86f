package dev.tuntas.bench.orders;

import dev.tuntas.bench.orders.OrderWorld.Story;
import dev.tuntas.testkit.checkout.CheckoutWorld;
import dev.tuntas.testkit.simulation.Exploration;
import dev.tuntas.testkit.simulation.Tally;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What can be simulated.
public enum Flow {
  /// A model whose bank and definition differ from seed to seed, to stretch the engine.
  ENGINE {
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

  /// Which flow a seed is of, when all take turns: the same for every run.
  static Flow of(long seed) {
    return values()[(int) Math.floorMod(seed, (long) values().length)];
  }

  /// Runs of one thread.
  public static final class Runs {

    private final @Nullable Flow only;
    private final Map<Flow, Exploration<?>> explorations = new EnumMap<>(Flow.class);

    /// Of one flow, or of all in turn.
    public Runs(@Nullable Flow only) {
      this.only = only;
    }

    /// Runs one seed; what it violates is an [AssertionError].
    public void seed(long seed) {
      var flow = only != null ? only : of(seed);
      explorations.computeIfAbsent(flow, Flow::explore).seed(seed);
    }

    public List<Tally> tallies() {
      return explorations.values().stream().<Tally>map(Exploration::tally).toList();
    }
  }
}
