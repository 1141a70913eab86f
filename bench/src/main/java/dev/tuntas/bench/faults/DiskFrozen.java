package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The disk of the database hangs: what is written to it is not refused and does not come to an
/// end.
final class DiskFrozen implements Fault {

  private static final int MEGABYTES = 600;

  @Override
  public String name() {
    return "disk-frozen";
  }

  @Override
  public String what() {
    return "the database's disk hangs";
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(12);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  @Override
  public @Nullable String missing(StoreKind store) {
    return SmallDisk.missingInFile();
  }

  private static Path disk(Rig rig) {
    return DiskFull.databaseOf(rig);
  }

  @Override
  public void prepare(Rig rig) throws IOException, InterruptedException {
    SmallDisk.mountFile(rig, disk(rig), MEGABYTES);
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException {
    Shell.run("fsfreeze", "--freeze", disk(rig).toString());
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    Shell.run("fsfreeze", "--unfreeze", disk(rig).toString());
  }
}
