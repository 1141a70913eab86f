package dev.tuntas.testservers;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener.DefaultSystemLauncherListener;
import org.apache.qpid.server.model.SystemConfig;

/// A broker for AMQP 0-9-1 in this process. It keeps its queues in memory.
public final class TestQpid implements AutoCloseable {

  private static final String CONFIG =
      """
      {
        "name": "tests",
        "modelVersion": "9.1",
        "authenticationproviders": [{
          "name": "plain", "type": "Plain", "secureOnlyMechanisms": [],
          "users": [{"name": "guest", "type": "managed", "password": "guest"}]
        }],
        "ports": [{
          "name": "AMQP", "port": "${qpid.port}", "bindingAddress": "127.0.0.1",
          "authenticationProvider": "plain", "protocols": ["AMQP_0_9_1"],
          "virtualhostaliases": [{"name": "nameAlias", "type": "nameAlias"}]
        }],
        "virtualhostnodes": [{
          "name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
          "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}"
        }]
      }
      """;

  private final SystemLauncher launcher;
  private final int port;

  private TestQpid(SystemLauncher launcher, int port) {
    this.launcher = launcher;
    this.port = port;
  }

  public static TestQpid start(Path folder, int port) throws Exception {
    var config = folder.resolve("qpid.json");
    Files.writeString(config, CONFIG.replace("${qpid.port}", Integer.toString(port)));
    Map<String, Object> attributes = new HashMap<>();
    attributes.put(SystemConfig.TYPE, "Memory");
    attributes.put(SystemConfig.INITIAL_CONFIGURATION_LOCATION, config.toUri().toString());
    attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, false);
    attributes.put("qpid.work_dir", folder.toString());
    var launcher = new SystemLauncher(new DefaultSystemLauncherListener());
    launcher.startup(attributes);
    return new TestQpid(launcher, port);
  }

  public URI url() {
    return URI.create("amqp://guest:guest@127.0.0.1:" + port + "/default");
  }

  @Override
  public void close() {
    launcher.shutdown();
  }
}
