package dev.tuntas.server;

import dev.tuntas.server.observe.Printed;
import dev.tuntas.server.settings.SettingsReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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
    Printed.neverBlocks();
    SpringApplication.getShutdownHandlers().add(Printed::drain);
    carryNativeCalls();
    try {
      var arguments = Arguments.of(words);
      if (arguments.help()) {
        IO.print(HELP);
        return;
      }
      application(scratch()).run(arguments.forSpring().toArray(String[]::new));
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

  /// Where this process keeps what it unpacks. Left to themselves, SQLite and Tomcat would leave
  /// theirs behind for ever each time it is killed.
  private static Map<String, Object> scratch() {
    var scratch = Scratch.in(Path.of(System.getProperty("java.io.tmpdir")));
    SpringApplication.getShutdownHandlers().add(scratch::close);
    System.setProperty("org.sqlite.tmpdir", scratch.folder("sqlite").toString());
    return Map.of("server.tomcat.basedir", scratch.folder("tomcat").toString());
  }

  /// The application, not yet running: for tests too.
  public static SpringApplication application() {
    return application(Map.of());
  }

  private static SpringApplication application(Map<String, Object> defaults) {
    var application = new SpringApplication(Main.class);
    var all = new HashMap<>(Surroundings.defaults());
    all.putAll(defaults);
    application.setDefaultProperties(all);
    application.addInitializers(new SettingsReader());
    return application;
  }
}
