package dev.tuntas.server;

import dev.tuntas.engine.StoreException;
import dev.tuntas.server.settings.SettingsException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/// Why the server did not start, in one line. It takes the place of Spring's own report, which is a
/// page long.
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailure implements SpringBootExceptionReporter {

  @Override
  public boolean reportException(Throwable failure) {
    return expected(failure) != null; // said by main; a stack trace would only hide it
  }

  static String sentence(Throwable failure) {
    var expected = expected(failure);
    return expected != null ? expected : "the server could not be started: " + failure;
  }

  private static @Nullable String expected(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case SettingsException wrong -> {
          return wrong.getMessage();
        }
        case PortInUseException taken -> {
          return "port " + taken.getPort() + " is in use; --port N takes another";
        }
        case StoreException unusable -> {
          return why(unusable);
        }
        default -> {}
      }
    }
    return null;
  }

  private static String why(StoreException failure) {
    return String.valueOf(failure.getMessage()).replaceAll("\\s*\\R\\s*", " ");
  }
}
