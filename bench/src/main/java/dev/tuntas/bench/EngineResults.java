package dev.tuntas.bench;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All that was measured. `turns` has one sample per round of every system; `few` and `paced` are
/// the engine's with few sagas in flight, and at a steady pace; `disk` is what the disk alone takes
/// at that pace.
record EngineResults(
    LineUp lineUp,
    Map<String, List<Sample>> turns,
    Sample few,
    Sample paced,
    @Nullable Sample disk) {

  /// The median of all rounds.
  Sample of(String system) {
    return Sample.median(samples(system));
  }

  Sample subject() {
    return of(lineUp.subject().name());
  }

  /// How many times as fast as another system the engine was.
  double ratioTo(String other) {
    return ratio(lineUp.subject().name(), other);
  }

  /// How many times as fast one system was as another: the median of all rounds' ratios.
  double ratio(String one, String other) {
    var ones = samples(one);
    var others = samples(other);
    var ratios = new double[ones.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ones.get(i).perSecond() / others.get(i).perSecond();
    }
    return Sample.median(ratios);
  }

  private List<Sample> samples(String system) {
    var samples = turns.get(system);
    if (samples == null) throw new IllegalStateException(system + " was not measured");
    return samples;
  }
}
