package dev.tuntas.server;

import dev.tuntas.server.settings.SettingsReader;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/// Starts the platform.
@SpringBootApplication
public class Main {

  private static final String HELP =
      """
      Usage: ./tuntas run [options]

        --port N         the port to listen on (8080; 0 takes a free one)
        --data DIR       where the databases and the keys are (./data)
        --address ADDR   what to listen on (127.0.0.1: this machine only)
        --tuntas.KEY=V   any other setting; as an environment variable: TUNTAS_KEY
        --help           show this text
      """;

  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
  private static final int CARRIERS_MIN = 8;

  public static void main(String[] words) {
    carryNativeCalls();
    try {
      var arguments = Arguments.of(words);
      if (arguments.help()) {
        IO.print(HELP);
        return;
      }
      application().run(arguments.forSpring().toArray(String[]::new));
    } catch (RuntimeException e) {
      System.err.println("tuntas: " + StartFailure.sentence(e));
      System.exit(1);
    }
  }

  /// SQLite is native code: a virtual thread in it keeps its carrier, also while it waits for the
  /// disk. With one carrier for each core nobody would work meanwhile.
  private static void carryNativeCalls() {
    if (System.getProperty(CARRIERS) != null) return;
    int carriers = Math.max(CARRIERS_MIN, 2 * Runtime.getRuntime().availableProcessors());
    System.setProperty(CARRIERS, Integer.toString(carriers));
  }

  /// The application, not yet running: for tests too.
  public static SpringApplication application() {
    var application = new SpringApplication(Main.class);
    application.setDefaultProperties(Surroundings.defaults());
    application.addInitializers(new SettingsReader());
    return application;
  }
}
