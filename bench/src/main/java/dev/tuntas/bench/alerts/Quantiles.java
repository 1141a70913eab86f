package dev.tuntas.bench.alerts;

import dev.tuntas.bench.alerts.Evaluator.Element;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Quantiles of histograms, whose buckets are told apart by the label `le`.
final class Quantiles {

  private Quantiles() {}

  static List<Element> of(double share, List<Element> buckets) {
    var histograms = new LinkedHashMap<Map<String, String>, TreeMap<Double, Double>>();
    for (var bucket : buckets) {
      var end = bucket.labels().get("le");
      if (end == null) continue;
      var labels = new HashMap<>(bucket.labels());
      labels.remove("le");
      histograms
          .computeIfAbsent(labels, _ -> new TreeMap<>())
          .merge(number(end), bucket.value(), Double::sum);
    }
    var quantiles = new ArrayList<Element>();
    histograms.forEach((labels, all) -> quantiles.add(new Element(labels, quantile(share, all))));
    return quantiles;
  }

  private static double number(String end) {
    return end.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(end);
  }

  private static double quantile(double share, NavigableMap<Double, Double> buckets) {
    if (buckets.size() < 2 || buckets.lastKey() != Double.POSITIVE_INFINITY) return Double.NaN;
    double all = buckets.lastEntry().getValue();
    if (!(all > 0)) return Double.NaN;
    double rank = share * all;
    double start = 0;
    double below = 0;
    for (var bucket : buckets.entrySet()) {
      double end = bucket.getKey();
      double upTo = Math.max(below, bucket.getValue());
      if (upTo >= rank) {
        // Of the last one nobody knows how wide it is.
        if (end == Double.POSITIVE_INFINITY) return start;
        double within = upTo == below ? 0 : (rank - below) / (upTo - below);
        return start + (end - start) * within;
      }
      start = end;
      below = upTo;
    }
    return Double.NaN;
  }
}
