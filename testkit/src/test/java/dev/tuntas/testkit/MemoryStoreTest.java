package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.StoreException;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends SagaStoreContract {

  private final MemoryStore memory = new MemoryStore(InstantSource.fixed(START));

  @Override
  protected SagaStore open() {
    return memory;
  }

  @Override
  protected SagaStore reopen() {
    return memory;
  }

  @Override
  public Outbox outbox() {
    return memory;
  }

  @Test
  void the_time_of_the_store_is_that_of_its_clock() {
    assertThat(memory.beat(alice()).storeTime()).isEqualTo(START);
  }

  @Test
  void checkers_see_all_sagas_in_the_order_of_their_insertion() {
    writeAll(alice(), running("b", kind()), running("a", kind()));

    assertThat(memory.sagas()).extracting(SagaRow::id).containsExactly("b", "a");
    assertThat(memory.row("a")).isEqualTo(row("a"));
    assertThat(memory.row("c")).isNull();
  }

  @Test
  void checkers_see_everything_that_was_not_applied() {
    writeAll(alice(), running("s", kind()));
    memory.put("early", signal("x"), START);
    memory.put("s", signal("y"), START);

    assertThat(memory.unapplied()).extracting(InboxItem::sagaId).containsExactly("early", "s");
  }

  @Test
  void work_gets_a_connection_that_refuses_with_a_sentence() {
    assertThatThrownBy(
            () ->
                memory.insertWith(alice(), running("s", kind()), connection -> connection.commit()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no connections");
    assertThat(memory.sagas()).isEmpty();
  }
}
