package dev.tuntas.server.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RoundsTest {

  @Test
  void a_round_that_fails_is_followed_by_others_and_logged_once() throws Exception {
    var log = (Logger) LoggerFactory.getLogger(Rounds.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    log.addAppender(lines);
    var fifty = new CountDownLatch(50);
    try (var _ =
        new Rounds(
            "fifty-rounds",
            Duration.ofMillis(1),
            () -> {
              fifty.countDown();
              throw new IllegalStateException("nobody is there");
            })) {
      assertThat(fifty.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      log.detachAppender(lines);
    }

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(it -> it.contains("fifty-rounds"))
        .containsExactly(
            "A round of fifty-rounds failed: java.lang.IllegalStateException: nobody is there");
  }

  @Test
  void an_error_ends_a_round_but_not_those_that_follow() throws Exception {
    var three = new CountDownLatch(3);
    try (var _ =
        new Rounds(
            "rounds-with-errors",
            Duration.ofMillis(1),
            () -> {
              three.countDown();
              throw new OutOfMemoryError("unable to create native thread");
            })) {
      assertThat(three.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }
}
