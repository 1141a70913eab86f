package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.store.CheckpointerThreads.KeepsWhatFailed;
import dev.tuntas.testkit.threads.ThreadExploration;
import org.junit.jupiter.api.Test;

/// The real checkpointer on a modelled log, under drawn schedules.
class CheckpointerThreadsTest {

  private static final int SEEDS = Integer.getInteger("tuntas.threads.seeds", 300);

  @Test
  void the_log_is_copied_again_after_the_disk_was_full() {
    ThreadExploration.of(CheckpointerThreads.class).seeds(SEEDS);
  }

  @Test
  void a_checkpointer_that_keeps_what_failed_is_found() {
    var exploration = ThreadExploration.of(CheckpointerThreads.class).with(KeepsWhatFailed.class);
    assertThatThrownBy(() -> exploration.seeds(300))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("statement is not executing");
  }
}
