package dev.tuntas.server.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All that the process prints, in the log or beside it: nobody who prints waits for whoever reads.
public final class Printed {

  private static final Logger log = LoggerFactory.getLogger(Printed.class);
  private static final int KEPT_MAX = 1 << 20;
  private static final Duration DRAINED_WITHIN = Duration.ofSeconds(1);
  private static final List<UnblockedOutput> OUTPUTS = new ArrayList<>();

  private Printed() {}

  /// Takes the place of the two outputs of the process. To be done before anything else, because
  /// others keep what they find there.
  public static void neverBlocks() {
    System.setOut(unblocked("stdout", FileDescriptor.out, System.out));
    System.setErr(unblocked("stderr", FileDescriptor.err, System.err));
  }

  private static PrintStream unblocked(String name, FileDescriptor file, PrintStream before) {
    var output =
        new UnblockedOutput(name, new FileOutputStream(file), KEPT_MAX, lines -> tell(name, lines));
    OUTPUTS.add(output);
    return new PrintStream(output, false, before.charset());
  }

  private static void tell(String name, long lines) {
    log.warn("{} lines for {} were dropped: nobody read it, or there was no room", lines, name);
  }

  /// Waits until all of it is written, for a second or two at most: for the end of the process.
  public static void drain() {
    for (var output : OUTPUTS) output.drain(DRAINED_WITHIN);
  }

  /// Counts what was dropped.
  public static void count(MeterRegistry registry) {
    FunctionCounter.builder("log_lines_dropped_total", OUTPUTS, Printed::dropped)
        .description("Lines that were not printed because nobody read them, or for want of room")
        .register(registry);
  }

  private static double dropped(List<UnblockedOutput> outputs) {
    return outputs.stream().mapToLong(UnblockedOutput::dropped).sum();
  }
}
