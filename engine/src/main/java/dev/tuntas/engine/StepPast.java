package dev.tuntas.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What the history of a saga says about one of its steps. It reads what [Turn], [Reports] and
/// [Transition] wrote.
final class StepPast {

  private static final String RULED_HAPPENED = " ruled 'happened': ";

  private final String name;
  private int attempts;
  private boolean current;
  private boolean done;
  private boolean failed;
  private boolean undone;
  private boolean skipped;
  private @Nullable Instant firstSentAt;
  private @Nullable Instant lastAt;
  private @Nullable String lastError;

  StepPast(String name) {
    this.name = name;
  }

  void read(HistoryLine line) {
    boolean heeded = !line.what().contains("; refused: ");
    for (var clause : line.what().split("; ")) {
      if (clause.startsWith("sent ")) current = isSending(clause);
      if (heeded && current && clause.contains(RULED_HAPPENED)) {
        done = true; // a person found out what the other side never said
        lastAt = line.at();
      }
      read(clause, line.at());
    }
  }

  private boolean isSending(String clause) {
    return clause.startsWith("sent " + name + ",") || clause.startsWith("sent " + name + " #");
  }

  private void read(String clause, Instant at) {
    if (isSending(clause)) {
      attempts += 1;
      if (firstSentAt == null) firstSentAt = at;
    } else if (clause.startsWith(name + " ")) {
      answered(clause.substring(name.length() + 1), at);
    } else if (clause.startsWith("asked about " + name + ": ")) {
      attempts += 1;
      answered(clause.substring("asked about : ".length() + name.length()), at);
    } else if (clause.startsWith("undo of " + name + " ")) {
      undoAnswered(clause.substring("undo of  ".length() + name.length()), at);
    } else if (clause.equals("going on without " + name)
        || clause.equals("going on without knowing about " + name)) {
      skipped = true;
      lastAt = at;
    }
  }

  private void answered(String word, Instant at) {
    lastAt = at;
    if (word.equals("succeeded")) {
      done = true;
    } else {
      failed = word.startsWith("failed: ");
      lastError = error(word);
    }
  }

  private void undoAnswered(String word, Instant at) {
    lastAt = at;
    if (word.equals("succeeded")) undone = true;
    else lastError = error(word);
  }

  private static String error(String word) {
    int colon = word.indexOf(": ");
    return colon < 0 ? word : word.substring(colon + 2);
  }

  /// How the step ended in a saga that has turned back past it.
  StepView.State atTheEnd() {
    if (undone) return StepView.State.UNDONE;
    if (failed && !done) return StepView.State.FAILED;
    if (done) return StepView.State.DONE;
    return attempts > 0 ? StepView.State.UNCLEAR : StepView.State.SKIPPED;
  }

  boolean isDone() {
    return done;
  }

  boolean isSkipped() {
    return skipped;
  }

  int attempts() {
    return attempts;
  }

  @Nullable Instant firstSentAt() {
    return firstSentAt;
  }

  @Nullable Instant lastAt() {
    return lastAt;
  }

  @Nullable String lastError() {
    return lastError;
  }
}
