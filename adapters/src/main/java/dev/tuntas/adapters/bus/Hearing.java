package dev.tuntas.adapters.bus;

import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Messages that are hints: all that came together are told together.
final class Hearing<W> implements Taker<W> {

  private static final Logger log = LoggerFactory.getLogger(Hearing.class);

  private final Consumer<List<Message>> hearer;
  private final Attempts attempts;
  private final Wire<W> wire;

  Hearing(Consumer<List<Message>> hearer, Attempts attempts, Wire<W> wire) {
    this.hearer = hearer;
    this.attempts = attempts;
    this.wire = wire;
  }

  @Override
  public boolean inOrder() {
    return false;
  }

  @Override
  public int take(List<W> carried, Attempts.Rest rest) {
    var hints = new ArrayList<Message>();
    for (var one : carried) {
      try {
        hints.add(wire.read(one));
      } catch (Refused poison) {
        log.warn("A hint on {} says nothing: {}", wire.kind(one), poison.reason());
      }
    }
    if (!hints.isEmpty()) attempts.tell(hints, hearer);
    return carried.size();
  }
}
