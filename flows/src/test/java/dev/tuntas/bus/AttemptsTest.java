package dev.tuntas.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bus.Attempts.Ending;
import dev.tuntas.bus.Attempts.Patience;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptsTest {

  private static final Message COMMAND =
      new Message("m-1", "RESERVE", "ord-1", "{}", Map.of(), true);

  private final Attempts attempts =
      new Attempts(new Patience(3, Duration.ZERO, Duration.ZERO), BusWatch.NONE);

  /// Wherever it failed: the handlers of our services have databases of their own.
  @ParameterizedTest
  @EnumSource(Kind.class)
  void a_message_waits_for_our_own_database_and_no_attempt_is_used_up(Kind kind) {
    Handler handler =
        _ -> {
          throw new IllegalStateException(new StoreException(kind, "write it down", null));
        };
    var ending = attempts.bring(COMMAND, handler, _ -> true);
    if (kind == Kind.BAD_DATA) assertThat(ending).isInstanceOf(Ending.Dead.class);
    else assertThat(ending).isEqualTo(new Ending.Waits());
  }
}
