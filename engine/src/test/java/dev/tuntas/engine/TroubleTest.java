package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TroubleTest {

  private final Logger log = (Logger) LoggerFactory.getLogger("TroubleTest." + System.nanoTime());
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private long now = Duration.ofHours(1).toNanos();
  private final Trouble trouble = new Trouble(log, "The relay", () -> now);

  @BeforeEach
  void listen() {
    log.setAdditive(false);
    log.setLevel(Level.INFO);
    log.addAppender(lines);
    lines.start();
  }

  @AfterEach
  void forget() {
    log.detachAppender(lines);
  }

  private void after(Duration span) {
    now += span.toNanos();
  }

  private List<String> said() {
    return lines.list.stream().map(it -> it.getLevel() + " " + it.getFormattedMessage()).toList();
  }

  @Test
  void what_works_says_nothing() {
    trouble.worked();

    assertThat(said()).isEmpty();
  }

  @Test
  void what_fails_again_and_again_is_said_once_a_minute_with_a_count() {
    for (int second = 0; second < 150; second++) {
      trouble.failed("it is away");
      after(Duration.ofSeconds(1));
    }

    assertThat(said())
        .containsExactly(
            "WARN The relay failed: it is away",
            "WARN The relay failed 60 more times in the last 60 s: it is away",
            "WARN The relay failed 60 more times in the last 60 s: it is away");
  }

  @Test
  void the_end_is_said_when_it_has_worked_for_a_while() {
    trouble.failed("it is away");
    after(Duration.ofSeconds(30));
    trouble.failed("it is away");
    trouble.worked();
    after(Duration.ofSeconds(4));
    trouble.worked();
    assertThat(said()).hasSize(1);

    after(Duration.ofSeconds(1));
    trouble.worked();
    trouble.worked();
    assertThat(said())
        .containsExactly(
            "WARN The relay failed: it is away",
            "INFO The relay works again. It failed 2 times in 30 s.");
  }

  @Test
  void what_fails_every_other_time_is_one_trouble() {
    for (int i = 0; i < 50; i++) {
      trouble.failed("it flickers");
      after(Duration.ofMillis(500));
      trouble.worked();
      after(Duration.ofMillis(500));
    }

    assertThat(said()).containsExactly("WARN The relay failed: it flickers");
  }

  @Test
  void the_next_trouble_is_said_at_once() {
    trouble.failed("it is away");
    after(Duration.ofSeconds(5));
    trouble.worked();
    trouble.failed("it is away again");

    assertThat(said().getLast()).isEqualTo("WARN The relay failed: it is away again");
  }

  @Test
  void only_what_nobody_planned_for_shows_its_trace_and_only_once() {
    trouble.failed(new IllegalStateException("a bug"));
    after(Duration.ofMinutes(1));
    trouble.failed(new IllegalStateException("a bug"));
    after(Duration.ofMinutes(1));
    trouble.worked();
    trouble.failed(new StoreException(StoreException.Kind.NOT_DONE, "away", null));

    assertThat(lines.list)
        .extracting(it -> it.getThrowableProxy() != null)
        .containsExactly(true, false, false, false);
  }
}
