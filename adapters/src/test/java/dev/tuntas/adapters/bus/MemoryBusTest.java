package dev.tuntas.adapters.bus;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.MemoryBus;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.UnsentException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The bus that other tests use keeps the promises of the real ones.
class MemoryBusTest extends BusContract {

  private final MemoryBus memory = new MemoryBus(QUICK, counts);

  @Override
  Bus open(BusWatch watch) {
    return memory;
  }

  @Override
  List<Message> dead(String ofQueue, String ofKind, int wanted) throws Exception {
    until(() -> memory.deadLetters(ofQueue).size() >= wanted);
    return memory.deadLetters(ofQueue);
  }

  @Test
  void a_command_that_nobody_listens_to_is_not_sent() {
    var command = Message.command("c", kind, "k", "{}");
    assertThatThrownBy(() -> bus.send(List.of(command))).isInstanceOf(UnsentException.class);
  }

  @Test
  void nothing_is_sent_while_the_broker_is_away() {
    memory.away(true);
    assertThatThrownBy(() -> bus.send(some(1, "a"))).isInstanceOf(BusAwayException.class);
  }
}
