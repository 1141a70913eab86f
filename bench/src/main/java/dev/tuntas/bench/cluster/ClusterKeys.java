package dev.tuntas.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/// The keys that all processes of a cluster share. They are made once and kept for their owner's
/// eyes.
///
/// @param bbd what the dispatch partner signs its callbacks with
/// @param partner what the simulated partners are called with
public record ClusterKeys(String client, String admin, String service, String bbd, String partner) {

  private static final int BYTES = 24;
  private static final List<String> NAMES = List.of("client", "admin", "service", "bbd", "partner");

  static ClusterKeys in(Path folder) throws IOException {
    var file = folder.resolve("credentials.properties");
    var kept = new Properties();
    if (Files.exists(file)) {
      try (var reader = Files.newBufferedReader(file)) {
        kept.load(reader);
      }
    } else {
      var forOwner = PosixFilePermissions.fromString("rw-------");
      Files.createFile(file, PosixFilePermissions.asFileAttribute(forOwner));
    }
    int known = kept.size();
    for (var name : NAMES) kept.computeIfAbsent(name, _ -> name + "-" + drawn());
    if (kept.size() > known) {
      try (var writer = Files.newBufferedWriter(file)) {
        kept.store(writer, "The keys of this cluster");
      }
    }
    return new ClusterKeys(
        kept.getProperty("client"),
        kept.getProperty("admin"),
        kept.getProperty("service"),
        kept.getProperty("bbd"),
        kept.getProperty("partner"));
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
        "TUNTAS_BBD_SECRET", bbd,
        "TUNTAS_PARTNERS_BBD_CREDENTIAL", partner,
        "TUNTAS_PARTNERS_BANK_CREDENTIAL", partner);
  }

  /// Without any of them.
  @Override
  public String toString() {
    return "ClusterKeys[...]";
  }
}
