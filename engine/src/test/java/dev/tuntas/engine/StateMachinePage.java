package dev.tuntas.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Collects which progress followed from which, and writes it as a page.
final class StateMachinePage {

  private static final List<String> PROGRESSES = names(Progress.class);
  private static final List<String> EVENTS = names(Event.class);

  private final Map<String, Map<String, Set<Integer>>> seen = new TreeMap<>();
  private boolean permitSeen;

  private static List<String> names(Class<?> sealed) {
    return Arrays.stream(sealed.getPermittedSubclasses()).map(Class::getSimpleName).toList();
  }

  void saw(Progress before, Event<?> event, Progress after) {
    var from = before.getClass().getSimpleName();
    var to = after.getClass().getSimpleName();
    if (from.equals("Ready") && to.equals("Sent")) {
      permitSeen = true; // by a permit, not by the event
      return;
    }
    seen.computeIfAbsent(from, _ -> new TreeMap<>())
        .computeIfAbsent(event.getClass().getSimpleName(), _ -> new TreeSet<>())
        .add(PROGRESSES.indexOf(to));
  }

  private List<String> after(String from, String event) {
    return seen.getOrDefault(from, Map.of()).getOrDefault(event, Set.of()).stream()
        .map(PROGRESSES::get)
        .toList();
  }

  List<String> missing() {
    var missing = new ArrayList<String>();
    for (var from : PROGRESSES) {
      for (var event : EVENTS) if (after(from, event).isEmpty()) missing.add(from + " x " + event);
    }
    if (!permitSeen) missing.add("Ready x permit");
    return missing;
  }

  String text() {
    return """
    # The state machine

    What `Transition` made of every event in every progress, seen in many random lives of random
    sagas. `TransitionCoverageTest` writes this page and fails when it is out of date.

    - **Due**: its time has come. **Reported**: a call was answered, or not in time.
      **Abandoned**: its owner died. **Told**: a signal. **Ruled**: a person or client decided.
      **Seized**: something that must not be.
    - A call that is `Ready` becomes `Sent` when its lane gives a permit, and by nothing else.

    """
        + table()
        + "\n```mermaid\nstateDiagram-v2\n"
        + diagram()
        + "```\n";
  }

  private String table() {
    var out = new StringBuilder("| | " + String.join(" | ", EVENTS) + " |\n");
    out.append("|---".repeat(EVENTS.size() + 1)).append("|\n");
    for (var from : PROGRESSES) {
      var cells = EVENTS.stream().map(event -> String.join(", ", after(from, event)));
      out.append("| **" + from + "** | " + cells.collect(Collectors.joining(" | ")) + " |\n");
    }
    return out.toString();
  }

  private String diagram() {
    var out = new StringBuilder("  [*] --> Ready\n  [*] --> Asking: the first step waits\n");
    out.append("  Ready --> Sent: permit\n");
    for (var from : PROGRESSES) {
      for (var to : PROGRESSES) {
        var events = EVENTS.stream().filter(event -> after(from, event).contains(to)).toList();
        if (from.equals(to) || events.isEmpty()) continue;
        out.append("  " + from + " --> " + to + ": " + String.join(", ", events) + "\n");
      }
    }
    return out.append("  Done --> [*]\n  Undone --> [*]\n").toString();
  }
}
