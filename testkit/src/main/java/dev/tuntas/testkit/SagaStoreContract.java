package dev.tuntas.testkit;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.SagaStore.Shape;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What every store promises: extend it, say how the store is opened, and all tests run on it.
///
/// The tests pass their own times in, all in March 2026 and to the millisecond; a store's own clock
/// may show anything.
public abstract class SagaStoreContract
    implements CommitRules,
        FenceRules,
        ClaimRules,
        WakeUpRules,
        InboxRules,
        NodeRules,
        TakeOverRules,
        DefinitionRules,
        LookingRules,
        RetentionRules,
        OutboxRules,
        DeadLetterRules,
        JoiningRules,
        TextRules,
        ThreadRules {

  private static final Shape KIND = new Shape("order", 1, "hash of order 1");
  private static final Shape OTHER_KIND = new Shape("order", 2, "hash of order 2");

  private @Nullable SagaStore store;
  private int alice;
  private int bob;
  private int kind;
  private int otherKind;
  private int lane;
  private int otherLane;

  /// Opens a store in which there is nothing yet.
  protected abstract SagaStore open();

  /// Opens the store of this test again, as after a restart. The earlier one was closed.
  protected abstract SagaStore reopen();

  /// The outbox of the store that was opened last.
  @Override
  public abstract Outbox outbox();

  /// A new connection of the caller's own to the database of the open store, if it has one. The
  /// test closes it.
  @Override
  public Optional<Connection> connection() throws Exception {
    return Optional.empty();
  }

  @BeforeEach
  void openStore() {
    var opened = open();
    store = opened;
    alice = opened.join("alice");
    bob = opened.join("bob");
    var kinds = opened.register(List.of(KIND, OTHER_KIND));
    kind = kinds.getOrDefault(KIND, -1);
    otherKind = kinds.getOrDefault(OTHER_KIND, -1);
    var lanes = opened.lanes(List.of("bank", "dispatch"));
    lane = lanes.getOrDefault("bank", -1);
    otherLane = lanes.getOrDefault("dispatch", -1);
  }

  @AfterEach
  void closeStore() {
    if (store != null) store.close();
  }

  @Override
  public final void reopenStore() {
    store().close();
    store = reopen();
  }

  @Override
  public final SagaStore store() {
    if (store == null) throw new IllegalStateException("the store was not opened");
    return store;
  }

  @Override
  public final int alice() {
    return alice;
  }

  @Override
  public final int bob() {
    return bob;
  }

  @Override
  public final int kind() {
    return kind;
  }

  @Override
  public final int otherKind() {
    return otherKind;
  }

  @Override
  public final int lane() {
    return lane;
  }

  @Override
  public final int otherLane() {
    return otherLane;
  }
}
