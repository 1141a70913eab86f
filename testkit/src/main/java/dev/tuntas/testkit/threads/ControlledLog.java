package dev.tuntas.testkit.threads;

import dev.tuntas.engine.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/// The log of a run is part of its story. A stack trace in it is a finding, unless the scenario
/// planned it, or the store said what is wrong.
final class ControlledLog extends LegacyAbstractLogger {

  private static final long serialVersionUID = 1L;

  ControlledLog(String name) {
    this.name = name;
  }

  @Override
  protected String getFullyQualifiedCallerName() {
    return ControlledLog.class.getName();
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String message,
      @Nullable Object @Nullable [] arguments,
      @Nullable Throwable thrown) {
    var task = Task.current();
    if (task == null) return;
    var text = MessageFormatter.basicArrayFormat(message, arguments);
    task.scheduler.note(() -> task + " logs: " + text + (thrown == null ? "" : ": " + thrown));
    if (thrown != null && !isPlanned(thrown)) {
      throw task.scheduler.fail(new AssertionError("the log says: " + text, thrown));
    }
  }

  static boolean isPlanned(Throwable thrown) {
    for (var cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof Planned) return true;
      if (cause.getClass().getName().equals(StoreException.class.getName())) return true;
    }
    return false;
  }

  @Override
  public boolean isTraceEnabled() {
    return false;
  }

  @Override
  public boolean isDebugEnabled() {
    return false;
  }

  @Override
  public boolean isInfoEnabled() {
    return true;
  }

  @Override
  public boolean isWarnEnabled() {
    return true;
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }
}
