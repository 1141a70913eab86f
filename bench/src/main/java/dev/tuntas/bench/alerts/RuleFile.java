package dev.tuntas.bench.alerts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the alerts of a rule file of Prometheus: of its YAML, the part that rule files use. An
/// expression stands on one line, quoted or not, or in a block below it. What watches over
/// processes and databases is left out: a scenario has rides and areas.
public final class RuleFile {

  private static final String OF_PROCESSES = "tuntas_platform";

  private final List<String> lines;
  private int at;

  private RuleFile(List<String> lines) {
    this.lines = lines;
  }

  public static List<AlertRule> read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  static List<AlertRule> parse(String text) {
    return new RuleFile(text.lines().toList()).rules();
  }

  /// An alert that is being read.
  private static final class Draft {
    final String name;
    String expression = "";
    Duration pending = Duration.ZERO;

    Draft(String name) {
      this.name = name;
    }

    AlertRule rule() {
      try {
        return new AlertRule(name, Expression.parse(expression), pending);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("the alert " + name + ": " + e.getMessage(), e);
      }
    }
  }

  private List<AlertRule> rules() {
    var drafts = new ArrayList<Draft>();
    Draft draft = null;
    boolean watched = true;
    while (at < lines.size()) {
      var line = lines.get(at++);
      var group = value(line, "- name:");
      if (group != null) watched = !group.equals(OF_PROCESSES);
      if (!watched) continue;
      var name = value(line, "- alert:");
      if (name != null) {
        draft = new Draft(name);
        drafts.add(draft);
      }
      if (value(line, "- record:") != null) {
        throw new IllegalArgumentException("rules that record are not understood: " + line.strip());
      }
      if (draft == null) continue;
      var expression = value(line, "expr:");
      if (expression != null) draft.expression = expression(expression, indent(line));
      var pending = value(line, "for:");
      if (pending != null) draft.pending = ExpressionParser.duration(pending);
    }
    return drafts.stream().map(Draft::rule).toList();
  }

  private static @Nullable String value(String line, String key) {
    var text = line.strip();
    return text.startsWith(key) ? text.substring(key.length()).strip() : null;
  }

  private String expression(String beside, int indent) {
    if (!beside.startsWith("|") && !beside.startsWith(">")) {
      var below = beside.isEmpty() || !isQuoted(beside) ? block(indent) : "";
      return unquoted(beside) + below;
    }
    return block(indent);
  }

  private String block(int indent) {
    var block = new StringBuilder();
    while (at < lines.size() && (lines.get(at).isBlank() || indent(lines.get(at)) > indent)) {
      block.append('\n').append(lines.get(at++));
    }
    return block.toString();
  }

  private static boolean isQuoted(String text) {
    return text.startsWith("\"") || text.startsWith("'");
  }

  private static String unquoted(String text) {
    if (!isQuoted(text)) return text;
    var inner = text.substring(1, text.length() - 1);
    return text.startsWith("'") ? inner.replace("''", "'") : inner.replace("\\\"", "\"");
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }
}
