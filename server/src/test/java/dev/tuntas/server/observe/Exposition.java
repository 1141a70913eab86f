package dev.tuntas.server.observe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What a scrape said, read as Prometheus reads it.
record Exposition(Map<String, String> types, List<Sample> samples) {

  record Sample(String name, Map<String, String> labels, double value) {}

  private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  static Exposition read(String text) {
    var types = new HashMap<String, String>();
    var samples = new ArrayList<Sample>();
    for (var line : text.lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        var words = line.split(" ", -1);
        types.put(words[2], words[3]);
      } else if (!line.startsWith("#")) {
        samples.add(sample(line));
      }
    }
    return new Exposition(types, samples);
  }

  private static Sample sample(String line) {
    var parts = SAMPLE.matcher(line);
    if (!parts.matches()) throw new AssertionError("this is no sample: " + line);
    var labels = new TreeMap<String, String>();
    if (parts.group(2) != null) {
      LABEL.matcher(parts.group(2)).results().forEach(it -> labels.put(it.group(1), it.group(2)));
    }
    return new Sample(parts.group(1), labels, Double.parseDouble(parts.group(3)));
  }

  /// The samples of a metric; of a histogram its counts.
  List<Sample> of(String metric) {
    var name = "histogram".equals(types.get(metric)) ? metric + "_count" : metric;
    return samples.stream().filter(it -> it.name.equals(name)).toList();
  }

  /// The sum over all samples that have these labels.
  double value(String metric, String... labels) {
    return of(metric).stream()
        .filter(sample -> has(sample, labels))
        .mapToDouble(Sample::value)
        .sum();
  }

  private static boolean has(Sample sample, String... labels) {
    for (int i = 0; i < labels.length; i += 2) {
      if (!labels[i + 1].equals(sample.labels.get(labels[i]))) return false;
    }
    return true;
  }
}
