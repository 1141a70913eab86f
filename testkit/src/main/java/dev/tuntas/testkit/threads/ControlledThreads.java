package dev.tuntas.testkit.threads;

import java.util.concurrent.ThreadFactory;

/// In the place of the JDK's builders of threads.
public final class ControlledThreads {

  private String name = "";

  /// The number of the next thread; below zero if they have none.
  private long next = -1;

  public ControlledThreads name(String as) {
    name = as;
    return this;
  }

  public ControlledThreads name(String prefix, long first) {
    name = prefix;
    next = first;
    return this;
  }

  public ControlledThreads daemon() {
    return this;
  }

  public ControlledThreads daemon(boolean on) {
    return this;
  }

  public ControlledThreads inheritInheritableThreadLocals(boolean inherit) {
    return this;
  }

  public Thread unstarted(Runnable work) {
    var full = next < 0 ? name : name + next++;
    return Controlled.task().scheduler.add(full, work).thread();
  }

  public Thread start(Runnable work) {
    var thread = unstarted(work);
    Controlled.start(thread);
    return thread;
  }

  public ThreadFactory factory() {
    return this::unstarted;
  }
}
