package dev.tuntas.server.observe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What a query asks of the metrics, read just well enough to tell whether there is such a thing.
///
/// @param grouping the labels by which it groups
record PromQuery(List<Selector> selectors, Set<String> grouping) {

  /// @param counted whether it asks how fast the metric grows
  record Selector(String metric, Map<String, String> labels, boolean counted) {}

  private static final Pattern GROUPING = Pattern.compile("\\s+by \\(([^)]*)\\)\\s*");
  private static final Pattern SELECTOR =
      Pattern.compile("(?<![\\w.\"$])([a-z_][a-z0-9_]*)(?:\\{([^}]*)})?(\\[[^]]*])?(?![\\w(\"])");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
  private static final Set<String> WORDS = Set.of("and", "or", "unless", "by");

  static PromQuery read(String query) {
    var grouping = new TreeSet<String>();
    for (var labels : GROUPING.matcher(query).results().toList()) {
      grouping.addAll(List.of(labels.group(1).split(", ")));
    }
    var selectors = new ArrayList<Selector>();
    for (var found : SELECTOR.matcher(GROUPING.matcher(query).replaceAll("")).results().toList()) {
      if (WORDS.contains(found.group(1))) continue;
      var labels = new HashMap<String, String>();
      var inside = found.group(2) == null ? "" : found.group(2);
      LABEL.matcher(inside).results().forEach(it -> labels.put(it.group(1), it.group(2)));
      selectors.add(new Selector(found.group(1), labels, found.group(3) != null));
    }
    return new PromQuery(selectors, grouping);
  }

  /// What it asks for that a scrape does not have, in sentences.
  List<String> flaws(Exposition scrape) {
    var flaws = new ArrayList<String>();
    if (selectors.isEmpty()) flaws.add("it asks for nothing");
    for (var selector : selectors) flaws.addAll(flaws(selector, scrape));
    return flaws;
  }

  private List<String> flaws(Selector selector, Exposition scrape) {
    var flaws = new ArrayList<String>();
    var samples =
        scrape.samples().stream().filter(it -> it.name().equals(selector.metric)).toList();
    if (samples.isEmpty()) return List.of("there is no metric " + selector.metric);
    if (samples.stream()
        .noneMatch(it -> it.labels().entrySet().containsAll(selector.labels.entrySet()))) {
      flaws.add("no " + selector.metric + " has the labels " + selector.labels);
    }
    for (var label : grouping) {
      if (!samples.getFirst().labels().containsKey(label)) {
        flaws.add(selector.metric + " has no label " + label);
      }
    }
    if (selector.counted == "gauge".equals(type(selector.metric, scrape))) {
      flaws.add(selector.metric + " is a " + type(selector.metric, scrape));
    }
    return flaws;
  }

  private static String type(String metric, Exposition scrape) {
    var family = scrape.types().get(metric);
    if (family != null) return family;
    var histogram = metric.replaceFirst("_(bucket|count|sum)$", "");
    return scrape.types().getOrDefault(histogram, "nothing");
  }
}
