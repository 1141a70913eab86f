package dev.tuntas.adapters.bus;

import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.Attempts.Ending;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.Handler;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Messages for a handler, one after the other. A dead letter is confirmed where it belongs before
/// the next one is looked at.
final class Taking<W> implements Taker<W> {

  private static final Logger log = LoggerFactory.getLogger(Taking.class);

  private final String queue;
  private final Handler handler;
  private final Attempts attempts;
  private final Wire<W> wire;

  Taking(String queue, Handler handler, Attempts attempts, Wire<W> wire) {
    this.queue = queue;
    this.handler = handler;
    this.attempts = attempts;
    this.wire = wire;
  }

  @Override
  public boolean inOrder() {
    return true;
  }

  @Override
  public int take(List<W> carried, Attempts.Rest rest) {
    int done = 0;
    while (done < carried.size() && isDone(carried.get(done), rest)) done++;
    return done;
  }

  private boolean isDone(W carried, Attempts.Rest rest) {
    Message message;
    try {
      message = wire.read(carried);
    } catch (Refused poison) {
      return bury(carried, poison.reason(), 0);
    }
    return switch (attempts.bring(message, handler, rest)) {
      case Ending.Taken() -> true;
      case Ending.Dead(var reason, var tries) -> bury(carried, reason, tries);
      case Ending.Waits() -> false;
    };
  }

  /// Whether it is safe there.
  private boolean bury(W carried, String reason, int tries) {
    try {
      wire.bury(carried, queue, reason, tries);
      attempts.buried();
      return true;
    } catch (BusAwayException away) {
      log.warn("A dead letter of {} waits for the broker: {}", queue, away.getMessage());
      return false;
    }
  }
}
