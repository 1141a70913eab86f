package dev.tuntas.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpenLoopTest {

  private static final Duration SPAN = Duration.ofMillis(20);

  /// So few that none comes in such a span.
  private static final double FEW = 1;

  private static final class Nothing implements Requests {
    @Override
    public URI server() {
      throw new AssertionError("nothing is sent");
    }

    @Override
    public byte[] next() {
      throw new AssertionError("nothing is sent");
    }
  }

  private static void run(Runnable mark) throws Exception {
    try (var load = new OpenLoop(new Nothing())) {
      load.run(FEW, SPAN, SPAN, new Tally(), mark);
    }
  }

  @Test
  void a_span_without_orders_has_a_beginning_and_an_end() throws Exception {
    var marks = new AtomicInteger();
    run(marks::incrementAndGet);
    assertThat(marks).hasValue(2);
  }

  @Test
  void a_mark_that_cannot_be_made_is_told() {
    var cause = new IllegalStateException("nothing can be counted");
    assertThatThrownBy(
            () ->
                run(
                    () -> {
                      throw cause;
                    }))
        .hasRootCause(cause);
  }
}
