package dev.tuntas.bench.chaos;

import dev.tuntas.bench.chaos.Told.Asked;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Holds what customers were told against each other and against how their orders ended.
public final class JournalCheck {

  private static final Set<Integer> FINAL = Set.of(201, 402, 409);

  private final Map<String, Told> ends;
  private final Map<String, Story> owners = new HashMap<>();
  private final Violations violations = new Violations();
  private int lost;
  private int stuck;

  /// @param ends what was seen of each order in the end, by its id
  public JournalCheck(Map<String, Told> ends) {
    this.ends = ends;
  }

  public void check(List<Story> stories) {
    for (var story : stories) {
      oneOrder(story);
      noSurprise(story);
      sameAnswers(story);
      story.orderId().ifPresent(id -> ending(story, id));
    }
  }

  /// What must be true of the run as a whole.
  public void require(boolean holds, String otherwise) {
    if (!holds) violations.add(otherwise);
  }

  /// A key stands for one order, and an order for one key.
  private void oneOrder(Story story) {
    var ids = new HashSet<String>();
    for (var told : story.told()) told.orderId().ifPresent(ids::add);
    if (ids.size() > 1) violations.add(story, "A2", "has several orders: " + ids);
    for (var id : ids) {
      if (owners.putIfAbsent(id, story) != null) {
        violations.add(story, "A5", "shares " + id + " with another key");
      }
    }
  }

  /// Every customer asks for what there is, in the right way.
  private void noSurprise(Story story) {
    for (var told : story.told()) {
      boolean expected =
          switch (told.status()) {
            case 200 -> told.asked() != Asked.PLACE;
            case 201, 402 -> told.asked() == Asked.PLACE;
            case 202, 409 -> told.asked() != Asked.LOOK;
            case 429, 503 -> true;
            default -> false;
          };
      if (!expected) {
        violations.add(
            story, "A3", told.asked() + " was answered " + told.status() + " " + told.body());
      }
    }
  }

  /// All acceptances of a key have one body; after a final answer every replay gets that one.
  private void sameAnswers(Story story) {
    var accepted = new HashSet<String>();
    var last = 0;
    for (var told : story.told()) {
      if (told.asked() != Asked.PLACE || told.orderId().isEmpty()) continue;
      if (told.status() == 202) accepted.add(told.body());
      if (FINAL.contains(last) && told.status() != last) {
        violations.add(story, "A3", "was told " + last + " and then " + told.status());
      }
      last = told.status();
    }
    if (accepted.size() > 1) violations.add(story, "A3", "was accepted with different bodies");
  }

  /// What was said and how it ended agree.
  private void ending(Story story, String id) {
    var end = ends.get(id);
    if (end == null || end.status() == 404) {
      lost++;
      violations.add(story, "A1", "was acknowledged as " + id + ", which is not there");
      return;
    }
    if (!end.isSettled()) {
      stuck++;
      violations.add(story, "L1", id + " is still " + end.word() + ": " + end.body());
      return;
    }
    for (var told : story.told()) agree(story, told, end);
  }

  private void agree(Story story, Told told, Told end) {
    var ended = end.needsAttention() ? "with a person" : end.word();
    boolean agrees =
        switch (told.asked()) {
          case PLACE ->
              switch (told.status()) {
                case 201 -> end.wentThrough();
                case 402, 409 -> end.cameToNothing();
                default -> true;
              };
          case LOOK -> !told.hasEnded() || told.word().equals(ended);
          case CANCEL ->
              switch (told.status()) {
                case 200 -> end.cameToNothing();
                case 409 -> end.wentThrough();
                default -> true;
              };
        };
    if (!agrees) {
      violations.add(
          story,
          "A5",
          "%s was answered %d %s, and %s ended %s"
              .formatted(
                  told.asked(), told.status(), told.word(), end.orderId().orElse("?"), ended));
    }
  }

  public int lost() {
    return lost;
  }

  public int stuck() {
    return stuck;
  }

  public Violations violations() {
    return violations;
  }
}
