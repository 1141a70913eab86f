package dev.tuntas.adapters.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.Message;
import dev.tuntas.testservers.TestKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real Kafka that is killed, and so serves nobody else.
class KafkaKilledIT {

  private static final String KIND = "kind";

  @TempDir Path folder;

  @Test
  @Timeout(180)
  void a_broker_that_was_killed_is_away_and_then_everything_goes_on() throws Exception {
    var heard = new LinkedBlockingQueue<String>();
    try (var kafka = TestKafka.start(folder);
        var bus = open(kafka)) {
      bus.listen("queue", Set.of(KIND), message -> heard.add(message.id()));
      sendUntilConfirmed(bus, three("before"));
      for (int i = 0; i < 3; i++) assertThat(heard.poll(30, TimeUnit.SECONDS)).isNotNull();

      kafka.kill();
      assertThatThrownBy(() -> bus.send(three("meanwhile"))).isInstanceOf(BusAwayException.class);
      assertThatThrownBy(bus::ping).isInstanceOf(BusAwayException.class);
      kafka.begin();

      sendUntilConfirmed(bus, three("after"));
      var after = new ArrayList<String>();
      while (!after.contains("after/2")) {
        var id = heard.poll(30, TimeUnit.SECONDS);
        assertThat(id).isNotNull();
        after.add(id);
      }
      assertThat(after).containsSubsequence("after/0", "after/1", "after/2");
    }
  }

  private static Bus open(TestKafka kafka) {
    var impatient = new KafkaAccess(kafka.servers(), 3, Duration.ofSeconds(2));
    return new KafkaBus(impatient, BusContract.QUICK, BusWatch.NONE, InstantSource.system());
  }

  private static List<Message> three(String key) {
    return IntStream.range(0, 3)
        .mapToObj(i -> Message.event(key + "/" + i, KIND, key, "{}"))
        .toList();
  }

  private static void sendUntilConfirmed(Bus bus, List<Message> messages) throws Exception {
    while (true) {
      try {
        bus.send(messages);
        return;
      } catch (BusAwayException _) {
        // it is still starting
      }
    }
  }
}
