package dev.tuntas.bench.scenario;

import java.lang.management.ManagementFactory;

/// What the program takes of the machine at one moment.
///
/// @param heapMb what is left after everything was thrown away that nobody needs
record Machine(double heapMb, int threads) {

  private static final double MEGABYTE = 1024.0 * 1024;

  static Machine now() {
    System.gc();
    System.gc();
    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new Machine(heap / MEGABYTE, ManagementFactory.getThreadMXBean().getThreadCount());
  }
}
