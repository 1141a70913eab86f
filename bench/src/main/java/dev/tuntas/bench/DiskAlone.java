package dev.tuntas.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/// What the disk makes of the four commits of a checkout, without anything around it: four times
/// two pages are written over old ones and waited for. A checkout cannot take less.
final class DiskAlone {

  static final String NAME = "the disk alone";

  private static final int COMMITS = 4;
  private static final int COMMIT_BYTES = 8 << 10;
  private static final int FILE_BYTES = 8 << 20;

  private final Path file;
  private final Latencies latencies = new Latencies();

  DiskAlone(Path file) {
    this.file = file;
  }

  /// Measures it for a while, again and again if need be.
  void measure(int perSecond, Duration span) throws IOException {
    try (var channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocateDirect(FILE_BYTES), 0);
      channel.force(true);
      var pages = ByteBuffer.allocateDirect(COMMIT_BYTES);
      long at = 0;
      var pace = new Pace(perSecond, span);
      while (pace.next()) {
        long begun = System.nanoTime();
        for (int i = 0; i < COMMITS; i++) {
          channel.write(pages.clear(), at);
          channel.force(false);
          at = (at + COMMIT_BYTES) % FILE_BYTES;
        }
        latencies.add(System.nanoTime() - begun);
      }
    }
  }

  Sample sample(int perSecond) {
    return new Sample(
        perSecond, latencies.millis(0.5), latencies.millis(0.99), Double.NaN, COMMITS, Double.NaN);
  }
}
