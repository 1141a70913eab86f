package dev.tuntas.bench.faults;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A disk of a few megabytes, in memory or in a file, mounted where a folder would be.
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

  /// Why there can be none in a file; null if there can.
  static @Nullable String missingInFile() {
    boolean can = Shell.isRoot() && Files.exists(Path.of("/dev/loop-control"));
    return can && Shell.has("mkfs.ext4") && Shell.has("fsfreeze")
        ? null
        : "It needs a disk in a file (loop device, mkfs.ext4, fsfreeze), and only root may mount"
            + " one.";
  }

  /// The same with a file for its blocks, as a disk has them.
  static void mountFile(Rig rig, Path at, int megabytes) throws IOException, InterruptedException {
    Files.createDirectories(at);
    var image = Path.of(at + ".img");
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength((long) megabytes << 20);
    }
    Shell.run("mkfs.ext4", "-q", image.toString());
    Shell.run("mount", "-o", "loop", image.toString(), at.toString());
    rig.closeLast(new SmallDisk(at));
    Files.delete(at.resolve("lost+found")); // PostgreSQL wants an empty folder
  }

  @Override
  public void close() throws IOException, InterruptedException {
    Shell.run("umount", "-l", at.toString());
  }
}
