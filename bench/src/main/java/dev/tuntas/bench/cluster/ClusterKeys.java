package dev.tuntas.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;

/// The keys that all processes of a cluster share. They are made once and kept for their owner's
/// eyes.
public record ClusterKeys(String client, String admin, String service, String bbd) {

  private static final int BYTES = 24;

  static ClusterKeys in(Path folder) throws IOException {
    var file = folder.resolve("credentials.properties");
    var kept = new Properties();
    if (Files.exists(file)) {
      try (var reader = Files.newBufferedReader(file)) {
        kept.load(reader);
      }
    } else {
      for (var name : new String[] {"client", "admin", "service", "bbd"}) {
        kept.setProperty(name, name + "-" + drawn());
      }
      var forOwner = PosixFilePermissions.fromString("rw-------");
      Files.createFile(file, PosixFilePermissions.asFileAttribute(forOwner));
      try (var writer = Files.newBufferedWriter(file)) {
        kept.store(writer, "The keys of this cluster");
      }
    }
    return new ClusterKeys(
        kept.getProperty("client"),
        kept.getProperty("admin"),
        kept.getProperty("service"),
        kept.getProperty("bbd"));
  }

  private static String drawn() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /// As variables, which no list of processes shows.
  Map<String, String> environment() {
    return Map.of(
        "TUNTAS_CLIENT_KEY", client,
        "TUNTAS_ADMIN_KEY", admin,
        "TUNTAS_SERVICE_KEY", service,
        "TUNTAS_BBD_SECRET", bbd);
  }

  /// Without any of them.
  @Override
  public String toString() {
    return "ClusterKeys[...]";
  }
}
