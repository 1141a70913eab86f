package dev.tuntas.server;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/// Asks the server of this machine whether it is ready: what a container's health check runs,
/// because an image may have nothing but a JVM.
public final class Probe {

  private static final int PATIENCE_MILLIS = 3_000;

  private Probe() {}

  /// @param arguments the port, if it is not 8080
  public static void main(String[] arguments) {
    int port = arguments.length == 0 ? 8080 : Integer.parseInt(arguments[0]);
    System.exit(isReady(port) ? 0 : 1);
  }

  static boolean isReady(int port) {
    try {
      var address = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness").toURL();
      var connection = (HttpURLConnection) address.openConnection();
      connection.setConnectTimeout(PATIENCE_MILLIS);
      connection.setReadTimeout(PATIENCE_MILLIS);
      return connection.getResponseCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }
}
