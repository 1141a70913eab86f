package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undone;
import java.time.Instant;

/// What must hold for every decision, whatever led to it.
final class Always {

  private Always() {}

  static void holds(Decision<?> decision, Instant now) {
    var state = decision.state();
    var line = ProgressCodec.encode(state.progress(), state.trail());
    assertThat(ProgressCodec.decode(line))
        .as("what is read back is what was written")
        .isEqualTo(new ProgressCodec.Line(state.progress(), state.trail()));
    if (decision.next() instanceof Next.Sleep(var until, _)) {
      assertThat(until).as("nobody sleeps until the past").isAfter(now);
    }
    var rest =
        switch (state.progress()) {
          case Done _ -> new Next.Rest(Status.DONE);
          case Undone _ -> new Next.Rest(Status.UNDONE);
          case Held _ -> new Next.Rest(Status.HELD);
          case Sent _ -> new Next.Await();
          case Progress _ -> decision.next();
        };
    assertThat(decision.next()).isEqualTo(rest);
  }
}
