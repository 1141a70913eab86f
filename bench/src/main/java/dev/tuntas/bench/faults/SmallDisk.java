package dev.tuntas.bench.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A disk in memory of a few megabytes, mounted where a folder would be.
record SmallDisk(Path at) implements AutoCloseable {

  /// Why there can be none here; null if there can.
  static @Nullable String missing() {
    return Shell.isRoot() && Shell.has("mount")
        ? null
        : "It needs a small disk, and only root may mount one.";
  }

  /// Mounts one, for as long as the rig is there.
  static void mount(Rig rig, Path at, int megabytes) throws IOException, InterruptedException {
    Files.createDirectories(at);
    Shell.run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", at.toString());
    rig.closeLast(new SmallDisk(at));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    Shell.run("umount", "-l", at.toString());
  }
}
