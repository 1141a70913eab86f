package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Limits that the system sets for a process, changed while it runs.
enum Limit {
  FILE_SIZE("--fsize"),
  OPEN_FILES("--nofile");

  private static final String PROGRAM = "prlimit";

  private final String option;

  Limit(String option) {
    this.option = option;
  }

  /// Why it cannot be done here; null if it can.
  static @Nullable String missing() {
    return Shell.has(PROGRAM) && Files.isDirectory(Path.of("/proc/self/fd"))
        ? null
        : "It needs Linux and the program prlimit (package util-linux).";
  }

  /// Sets the soft limit, which may be lifted again.
  void set(ServerProcess server, String value) throws IOException, InterruptedException {
    Shell.run(PROGRAM, "--pid", pid(server), option + "=" + value + ":");
  }

  /// How many files it has open.
  static long openFiles(ServerProcess server) throws IOException {
    try (var files = Files.list(Path.of("/proc", pid(server), "fd"))) {
      return files.count();
    }
  }

  /// The soft limit of open files as it is.
  static String openFilesMax(ServerProcess server) throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc", pid(server), "limits"))) {
      if (line.startsWith("Max open files")) return line.split("\\s+")[3];
    }
    throw new BenchException("the system does not say how many files may be open");
  }

  private static String pid(ServerProcess server) {
    return Long.toString(server.handle().pid());
  }
}
