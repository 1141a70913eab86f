package dev.tuntas.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UnblockedOutputTest {

  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final Pipe pipe = new Pipe();
  private final BlockingQueue<Long> told = new LinkedBlockingQueue<>();
  private final UnblockedOutput output = new UnblockedOutput("test", pipe, 12, told::add);
  private final PrintStream out = new PrintStream(output, false, StandardCharsets.UTF_8);

  /// Takes nothing while somebody holds it up.
  private static final class Pipe extends OutputStream {

    private final ReentrantLock heldUp = new ReentrantLock();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private volatile Optional<IOException> failure = Optional.empty();

    @Override
    public void write(int character) throws IOException {
      write(new byte[] {(byte) character}, 0, 1);
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws IOException {
      heldUp.lock();
      try {
        if (failure.isPresent()) throw failure.get();
        taken.write(buffer, offset, length);
      } finally {
        heldUp.unlock();
      }
    }

    String text() {
      heldUp.lock();
      try {
        return taken.toString(StandardCharsets.UTF_8);
      } finally {
        heldUp.unlock();
      }
    }
  }

  private long told() throws InterruptedException {
    return Optional.ofNullable(told.poll(60, TimeUnit.SECONDS)).orElseThrow();
  }

  @Test
  void what_is_printed_comes_out() {
    out.print("one\n");
    out.print("two\n");
    output.drain(A_MINUTE);

    assertThat(pipe.text()).isEqualTo("one\ntwo\n");
    assertThat(output.dropped()).isZero();
    assertThat(told).isEmpty();
  }

  @Test
  void while_nobody_reads_lines_are_dropped_and_counted_and_told_when_somebody_does()
      throws Exception {
    pipe.heldUp.lock();
    for (int i = 1; i <= 5; i++) out.print("line" + i + "\n"); // two of them are kept
    assertThat(output.dropped()).isEqualTo(3);
    assertThat(told).isEmpty();
    pipe.heldUp.unlock();

    assertThat(told()).isEqualTo(3);
    out.print("later\n");
    output.drain(A_MINUTE);
    assertThat(pipe.text()).isEqualTo("line1\nline2\nlater\n");
    assertThat(output.dropped()).isEqualTo(3);
    assertThat(told).isEmpty();
  }

  @Test
  void a_line_that_is_longer_than_what_is_kept_is_not_lost_for_that() {
    out.print("a line that is too long\n");
    output.drain(A_MINUTE);

    assertThat(pipe.text()).isEqualTo("a line that is too long\n");
  }

  @Test
  void what_cannot_be_written_is_dropped_and_told_after_the_next_line_that_can() throws Exception {
    pipe.failure = Optional.of(new IOException("no space left on device"));
    out.print("one\n");
    output.drain(A_MINUTE);
    out.print("two\n");
    output.drain(A_MINUTE);
    assertThat(output.dropped()).isEqualTo(2);
    assertThat(told).isEmpty();

    pipe.failure = Optional.empty();
    out.print("three\n");
    assertThat(told()).isEqualTo(2);
    assertThat(pipe.text()).isEqualTo("three\n");
  }

  @Test
  void the_end_does_not_wait_for_somebody_who_never_reads() {
    pipe.heldUp.lock();
    out.print("one\n");

    assertThatCode(() -> output.drain(Duration.ofMillis(1))).doesNotThrowAnyException();
  }

  @Test
  void an_error_does_not_end_the_thread_that_writes() {
    var sink = new ByteArrayOutputStream();
    var broken =
        new OutputStream() {
          private boolean failed;

          @Override
          public void write(int character) {
            if (!failed) {
              failed = true;
              throw new OutOfMemoryError("no direct memory");
            }
            sink.write(character);
          }
        };
    var lines = new UnblockedOutput("errors", broken, 100, _ -> {});
    for (var line : new String[] {"one\n", "two\n"}) {
      var bytes = line.getBytes(StandardCharsets.UTF_8);
      lines.write(bytes, 0, bytes.length);
      lines.drain(A_MINUTE);
    }
    assertThat(sink.toString(StandardCharsets.UTF_8)).isEqualTo("two\n");
    assertThat(lines.dropped()).isEqualTo(1);
  }
}
