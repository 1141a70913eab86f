package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipInputStream;

/// The server finds data that an older build has left when it was killed, with orders under way,
/// and is killed twice itself while it opens and migrates that.
final class OldData implements Fault {

  private static final String DATA = "data-2026-11-18.zip";

  private static final List<Duration> LIVES =
      List.of(Duration.ofMillis(900), Duration.ofMillis(1800));

  @Override
  public String name() {
    return "old-data";
  }

  @Override
  public String what() {
    return "data of an older build, and two kills while it is migrated";
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.SQLITE);
  }

  @Override
  public boolean strikes() {
    return false;
  }

  @Override
  public void prepare(Rig rig) throws IOException {
    var resource = OldData.class.getResourceAsStream(DATA);
    if (resource == null) throw new BenchException("there is no " + DATA);
    try (var zip = new ZipInputStream(resource)) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        var file = rig.folder().resolve(entry.getName());
        if (entry.isDirectory()) Files.createDirectories(file);
        else {
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
    }
  }

  @Override
  public void beforeStart(Rig rig) throws InterruptedException {
    for (var life : LIVES) {
      var server = rig.launch();
      Thread.sleep(life);
      server.kill();
    }
  }
}
