package dev.tuntas.adapters.bus;

import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.DeadMessage;
import dev.tuntas.engine.Trouble;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Dead letters for somebody who keeps them. One that cannot be kept now waits where it is.
final class Collecting<W> implements Taker<W> {

  private static final Logger log = LoggerFactory.getLogger(Collecting.class);

  private final Function<W, Stream<DeadMessage>> reader;
  private final Consumer<DeadMessage> keeper;
  private final Trouble trouble;

  /// @param reader nothing for what belongs to another queue
  Collecting(String queue, Function<W, Stream<DeadMessage>> reader, Consumer<DeadMessage> keeper) {
    this.reader = reader;
    this.keeper = keeper;
    this.trouble = new Trouble(log, "Keeping the dead letters of " + queue);
  }

  @Override
  public boolean inOrder() {
    return true;
  }

  @Override
  public int take(List<W> carried, Attempts.Rest rest) {
    int done = 0;
    try {
      for (var one : carried) {
        reader.apply(one).forEach(keeper);
        done++;
      }
      trouble.worked();
    } catch (RuntimeException e) {
      trouble.failed(e);
    }
    return done;
  }
}
