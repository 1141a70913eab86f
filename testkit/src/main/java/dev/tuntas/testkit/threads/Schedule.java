package dev.tuntas.testkit.threads;

/// What a [Scenario] may say to whoever decides which thread goes on.
public final class Schedule {

  private Schedule() {}

  /// From now on no thread stands still for a while in the middle of what it does. They go on to be
  /// preempted.
  public static void calm() {
    Controlled.task().scheduler.calm();
  }

  /// A line of the story that a finding tells.
  public static void note(String line) {
    var task = Controlled.task();
    task.scheduler.note(() -> task + ": " + line);
  }
}
