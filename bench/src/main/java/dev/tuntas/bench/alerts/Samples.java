package dev.tuntas.bench.alerts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What metrics said over time. Samples of one series come in the order of their times.
public final class Samples {

  /// One series.
  static final class Series {
    final Map<String, String> labels;
    private double[] times = new double[16];
    private double[] values = new double[16];
    private int size;

    Series(Map<String, String> labels) {
      this.labels = Map.copyOf(labels);
    }

    void add(double time, double value) {
      if (size > 0 && time <= times[size - 1]) {
        throw new IllegalArgumentException("samples come in the order of their times");
      }
      if (size == times.length) {
        times = Arrays.copyOf(times, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      times[size] = time;
      values[size++] = value;
    }

    /// The samples after `from`, up to and including `to`.
    List<Sample> between(double from, double to) {
      var found = new ArrayList<Sample>();
      for (int i = first(from); i < size && times[i] <= to; i++) {
        found.add(new Sample(times[i], values[i]));
      }
      return found;
    }

    private int first(double after) {
      int at = Arrays.binarySearch(times, 0, size, after);
      return at < 0 ? -at - 1 : at + 1;
    }
  }

  record Sample(double time, double value) {}

  private final Map<String, Map<Map<String, String>, Series>> byName = new HashMap<>();

  /// @param time in seconds
  public void add(String name, Map<String, String> labels, double time, double value) {
    byName
        .computeIfAbsent(name, _ -> new LinkedHashMap<>())
        .computeIfAbsent(Map.copyOf(labels), Series::new)
        .add(time, value);
  }

  Collection<Series> named(String name) {
    return byName.getOrDefault(name, Map.of()).values();
  }

  /// Whether there is any series of this name.
  public boolean has(String name) {
    return byName.containsKey(name);
  }
}
