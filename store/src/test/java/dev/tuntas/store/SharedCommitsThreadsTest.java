package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.store.SharedCommitsThreads.TakesTwice;
import dev.tuntas.testkit.threads.ThreadExploration;
import org.junit.jupiter.api.Test;

/// The real writers of shared commits on a modelled database, under drawn schedules.
class SharedCommitsThreadsTest {

  private static final int SEEDS = Integer.getInteger("tuntas.threads.seeds", 500);

  private static ThreadExploration exploration() {
    return ThreadExploration.of(SharedCommitsThreads.class).playing("java.sql", "java.io");
  }

  @Test
  void whoever_shares_a_commit_is_told_what_became_of_it() {
    exploration().seeds(SEEDS);
  }

  @Test
  void writers_that_both_take_a_job_are_found() {
    var exploration = exploration().with(TakesTwice.class);
    assertThatThrownBy(() -> exploration.seeds(2_000))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("seed ");
  }
}
