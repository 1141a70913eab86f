package dev.tuntas.bench.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Signals to a process and to all that it has started.
enum Signals {
  /// Stands still, and knows nothing of it.
  STOP,
  CONT,
  KILL;

  void send(List<ProcessHandle> processes) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("kill", "-" + name()));
    for (var process : processes) {
      if (process.isAlive()) command.add(Long.toString(process.pid()));
    }
    if (command.size() > 2) Shell.run(command.toArray(String[]::new));
  }

  /// The process first, so that it starts no others meanwhile.
  static List<ProcessHandle> family(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants()).toList();
  }
}
