package dev.tuntas.bench.scenario;

import dev.tuntas.bench.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Three charts below each other, as SVG: time to job id, waiting in each area, calls to the
/// partner; all over the same minutes.
final class Picture {

  private static final int WIDTH = 960;
  private static final int LEFT = 80;
  private static final int RIGHT = 180;
  private static final int CHART = 200;
  private static final int GAP = 78;
  private static final int TOP = 64;
  private static final int POINTS_MAX = 400;
  private static final List<String> COLOURS =
      List.of("#1f6fb4", "#d1622b", "#3a8f4d", "#8d5bb0", "#b0892a", "#5b6770", "#b03a5b");
  private static final String LIMIT_COLOUR = "#c62828";

  private record Line(String name, double[] minutes, double[] values, String colour) {}

  /// @param limit a level that is drawn across
  private record Chart(
      String title, String unit, List<Line> lines, @Nullable Double limit, String limitName) {

    double highest() {
      double high = limit == null ? 0 : limit;
      for (var line : lines) {
        high = Math.max(high, Arrays.stream(line.values).filter(it -> it >= 0).max().orElse(0));
      }
      return high <= 0 ? 1 : high;
    }
  }

  private final StringBuilder svg = new StringBuilder();
  private final ScenarioResult result;
  private final double minutes;

  private Picture(ScenarioResult result) {
    this.result = result;
    this.minutes = Math.max(1, result.seconds().scenario() / 60);
  }

  static String of(ScenarioResult result) {
    return new Picture(result).draw();
  }

  private String draw() {
    var charts = List.of(toJobId(), waiting(), calls());
    int height = TOP + charts.size() * (CHART + GAP);
    write(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            + " font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#222\">",
        WIDTH, height, WIDTH, height);
    write("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
    var settings = result.settings();
    write(
        "<text x=\"%d\" y=\"26\" font-size=\"17\" font-weight=\"600\">Scenario %s: %s orders/s"
            + " for %s min</text>",
        LEFT,
        settings.scenario().word(),
        Figures.plain(settings.rate()),
        Figures.plain(settings.minutes().toMillis() / 60_000.0));
    for (int i = 0; i < charts.size(); i++) draw(charts.get(i), TOP + i * (CHART + GAP));
    write("</svg>");
    return svg.toString();
  }

  // What is shown

  private Chart toJobId() {
    var byMinute = result.curves().toJobId();
    return new Chart(
        "Time to job id, by the minute of the order",
        "seconds",
        List.of(
            percentile("p99", byMinute, 0.99, COLOURS.get(1)),
            percentile("p95", byMinute, 0.95, COLOURS.get(0)),
            percentile("p50", byMinute, 0.5, COLOURS.get(2))),
        null,
        "");
  }

  private static Line percentile(String name, List<Spread> all, double share, String colour) {
    var minutes = new ArrayList<Double>();
    var values = new ArrayList<Double>();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).size() == 0) continue;
      minutes.add(i + 0.5);
      values.add(all.get(i).seconds(share));
    }
    return new Line(name, array(minutes), array(values), colour);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(it -> it).toArray();
  }

  private Chart waiting() {
    var lines = new ArrayList<Line>();
    result
        .curves()
        .waiting()
        .forEach((area, curve) -> lines.add(line(area, curve, COLOURS.get(lines.size() % 7))));
    boolean refuses = result.settings().scenario().refuses();
    return new Chart(
        "Waiting in each area",
        "rides",
        lines,
        refuses ? (double) result.flood().most() : null,
        "most, with loyalty");
  }

  private Chart calls() {
    var line = line("highest second", result.curves().calls(), COLOURS.getFirst());
    return new Chart(
        "Calls to the partner",
        "calls per second",
        List.of(line),
        (double) result.settings().rateLimit(),
        "partner's limit");
  }

  /// With more slices than points, each point is the highest of some.
  private static Line line(String name, Curve curve, String colour) {
    int each = Math.max(1, curve.size() / POINTS_MAX);
    int points = (curve.size() + each - 1) / each;
    var minutes = new double[points];
    var values = new double[points];
    for (int i = 0; i < points; i++) {
      minutes[i] = curve.secondsOf(i * each) / 60;
      for (int j = 0; j < each; j++) values[i] = Math.max(values[i], curve.at(i * each + j));
    }
    return new Line(name, minutes, values, colour);
  }

  // How it is drawn

  private void draw(Chart chart, int top) {
    double step = step(chart.highest());
    double high = Math.ceil(chart.highest() * 1.02 / step) * step;
    write(
        "<text x=\"%d\" y=\"%d\" font-weight=\"600\" font-size=\"13\">%s</text>",
        LEFT, top - 10, chart.title);
    for (double level = 0; level <= high + step / 2; level += step) grid(level, high, top);
    double minuteStep = step(minutes);
    for (double at = 0; at <= minutes; at += minuteStep) {
      write(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          x(at), top + CHART + 16, Figures.plain(at));
    }
    write(
        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">minutes</text>",
        x(minutes / 2), top + CHART + 34);
    write(
        "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
        top + CHART / 2, chart.unit);
    int row = 0;
    for (var line : chart.lines) draw(line, high, top, row++);
    var limit = chart.limit;
    if (limit != null) {
      double y = y(limit, high, top);
      write(
          "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
              + " stroke-dasharray=\"6 4\" stroke-width=\"1.5\"/>",
          LEFT, WIDTH - RIGHT, y, y, LIMIT_COLOUR);
      legend(chart.limitName + " " + Figures.plain(limit), LIMIT_COLOUR, top, row);
    }
  }

  private void grid(double level, double high, int top) {
    double y = y(level, high, top);
    write(
        "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>",
        LEFT, WIDTH - RIGHT, y, y);
    write(
        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
        LEFT - 8, y + 4, Figures.plain(level));
  }

  private void draw(Line line, double high, int top, int row) {
    var points = new StringBuilder();
    for (int i = 0; i < line.minutes.length; i++) {
      if (line.minutes[i] > minutes) break;
      points.append(
          String.format(
              Locale.ROOT, "%.1f,%.1f ", x(line.minutes[i]), y(line.values[i], high, top)));
    }
    write(
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"%s\"/>",
        line.colour, points.toString().strip());
    legend(line.name, line.colour, top, row);
  }

  private void legend(String name, String colour, int top, int row) {
    int x = WIDTH - RIGHT + 16;
    int y = top + 10 + row * 18;
    write(
        "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\"/>",
        x, x + 18, y, y, colour);
    write("<text x=\"%d\" y=\"%d\">%s</text>", x + 24, y + 4, name);
  }

  private double x(double minute) {
    return LEFT + minute / minutes * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double value, double high, int top) {
    return top + CHART - value / high * CHART;
  }

  /// About five steps, each 1, 2 or 5 times a power of ten.
  private static double step(double high) {
    double rough = high / 5;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation is in a library that we do not have
  private void write(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
