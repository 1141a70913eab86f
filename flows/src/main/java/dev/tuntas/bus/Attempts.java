package dev.tuntas.bus;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How a handler is given a message, on every bus: again after a failure, with growing pauses, and
/// in the end not at all. What a store of ours could not do is nothing to hold against a message.
public final class Attempts {

  private static final Logger log = LoggerFactory.getLogger(Attempts.class);
  private static final int GROWTH = 3;
  private static final int REASON_MAX = 500;

  /// @param attemptsMax after so many failures a message is a dead letter
  /// @param firstPause after the first failure; each is three times as long as the one before
  /// @param pauseMax the longest pause; also where no attempt is counted
  public record Patience(int attemptsMax, Duration firstPause, Duration pauseMax) {

    public Patience {
      if (attemptsMax < 1 || firstPause.isNegative() || pauseMax.compareTo(firstPause) < 0) {
        throw new IllegalArgumentException("at least one attempt, and pauses that grow");
      }
    }

    /// Five attempts within five seconds or so.
    public static Patience standard() {
      return new Patience(5, Duration.ofMillis(100), Duration.ofSeconds(3));
    }

    Duration after(int attempt) {
      var pause = firstPause;
      for (int i = 1; i < attempt && pause.compareTo(pauseMax) < 0; i++) {
        pause = pause.multipliedBy(GROWTH);
      }
      return pause.compareTo(pauseMax) < 0 ? pause : pauseMax;
    }
  }

  /// What became of a message.
  public sealed interface Ending {
    record Taken() implements Ending {}

    record Dead(String reason, int attempts) implements Ending {}

    /// It stays where it is: its handler cannot work now, or the subscription ends.
    record Waits() implements Ending {}
  }

  /// Waits; false when there is no time left, because the subscription ends.
  @FunctionalInterface
  public interface Rest {
    boolean rest(Duration pause);
  }

  private final Patience patience;
  private final BusWatch watch;
  private final Trouble taking = new Trouble(log, "Taking a message");
  private final Trouble hearing = new Trouble(log, "Hearing a hint");

  public Attempts(Patience patience, BusWatch watch) {
    this.patience = patience;
    this.watch = watch;
  }

  public Duration pauseMax() {
    return patience.pauseMax();
  }

  public Ending bring(Message message, Handler handler, Rest rest) {
    for (int attempt = 1; ; attempt++) {
      try {
        handler.take(message);
        taking.worked();
        watch.consumed(BusWatch.Result.HANDLED);
        return new Ending.Taken();
      } catch (Refused refused) {
        return dead(message, refused.reason(), attempt);
      } catch (NotNow later) {
        return waits(message, later.getMessage());
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return new Ending.Waits();
      } catch (Exception failure) {
        if (StoreException.isBehind(failure)) return waits(message, failure.toString());
        if (attempt >= patience.attemptsMax) return dead(message, failure.toString(), attempt);
        watch.consumed(BusWatch.Result.FAILED);
        taking.failed(message.kind() + " " + message.id() + ": " + failure);
        if (!rest.rest(patience.after(attempt))) return new Ending.Waits();
      }
    }
  }

  private Ending waits(Message message, @Nullable String why) {
    watch.consumed(BusWatch.Result.FAILED);
    taking.failed(message.kind() + " " + message.id() + " has to wait: " + why);
    return new Ending.Waits();
  }

  private static Ending dead(Message message, String reason, int attempts) {
    var cut = reason.length() <= REASON_MAX ? reason : reason.substring(0, REASON_MAX);
    log.warn("{} {} is a dead letter: {}", message.kind(), message.id(), cut);
    return new Ending.Dead(cut, attempts);
  }

  /// To be told when the dead letter is where it belongs.
  public void buried() {
    watch.consumed(BusWatch.Result.DEAD);
  }

  /// The same for hints: what fails is forgotten.
  public void tell(List<Message> hints, Consumer<List<Message>> hearer) {
    try {
      hearer.accept(hints);
      hearing.worked();
      for (int i = 0; i < hints.size(); i++) watch.consumed(BusWatch.Result.HANDLED);
    } catch (RuntimeException failure) {
      for (int i = 0; i < hints.size(); i++) watch.consumed(BusWatch.Result.FAILED);
      hearing.failed(failure);
    }
  }
}
