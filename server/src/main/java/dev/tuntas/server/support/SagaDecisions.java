package dev.tuntas.server.support;

import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.SagaView;
import dev.tuntas.engine.Status;
import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.store.Session;
import dev.tuntas.store.Stores;
import dev.tuntas.support.Decisions;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// Decisions as rulings in the inbox of the saga, in the transaction of the decision. One that is
/// made twice about the same version of a saga is made once.
public final class SagaDecisions implements Decisions {

  private final Stores stores;
  private final InstantSource clock;

  public SagaDecisions(Stores stores, InstantSource clock) {
    this.stores = stores;
    this.clock = clock;
  }

  private Optional<SagaView> find(Session session, String sagaId) throws SQLException {
    return stores.find(session, sagaId).map(row -> SagaView.of(row, null));
  }

  @Override
  public boolean waits(Session session, String sagaId) throws SQLException {
    return find(session, sagaId).filter(saga -> saga.status() == Status.HELD).isPresent();
  }

  @Override
  public boolean waitsForRefund(Session session, String sagaId) throws SQLException {
    return find(session, sagaId)
        .filter(
            saga ->
                saga.progress() instanceof Held(Undoing undoing, _)
                    && undoing.step().equals(OrderSagas.CHARGE))
        .isPresent();
  }

  @Override
  public Optional<Instant> rule(Session session, String sagaId, Finding finding)
      throws SQLException {
    var saga =
        find(session, sagaId).orElseThrow(() -> new IllegalStateException("no saga " + sagaId));
    var held = saga.progress() instanceof Held(var before, _) ? before : saga.progress();
    if (!finding.happened()
        && held instanceof Asking asking
        && clock.instant().isBefore(asking.quietAt())) {
      return Optional.of(asking.quietAt());
    }
    var ruling =
        new Ruling(
            kind(held, finding.happened()),
            finding.actor(),
            "a person looked",
            finding.evidence(),
            saga.version());
    say(session, saga, ruling);
    return Optional.empty();
  }

  /// A step that never went out did not happen anyway: saying so means to give it up.
  private static Kind kind(Progress held, boolean happened) {
    if (happened) return Kind.HAPPENED;
    return held instanceof Ready ? Kind.GIVE_UP : Kind.DID_NOT_HAPPEN;
  }

  /// Has a held saga try again what it gave up on, or leave it for good.
  Fate goOn(Session session, String sagaId, Kind how, String actor, String reason)
      throws SQLException {
    var saga = find(session, sagaId).orElse(null);
    if (saga == null) return Fate.UNKNOWN;
    if (saga.status().isEnd()) return Fate.ALREADY;
    if (saga.status() != Status.HELD) return Fate.NOT_POSSIBLE;
    var ruling = new Ruling(how, actor, reason, "", saga.version());
    return switch (say(session, saga, ruling)) {
      case NEW -> Fate.DONE;
      case KNOWN, CONFLICT -> Fate.ALREADY;
    };
  }

  private Put say(Session session, SagaView saga, Ruling ruling) throws SQLException {
    var name = "support-" + saga.id() + "-" + saga.version() + "-" + ruling.kind();
    return stores.say(session, saga.id(), ruling.asSignal(name), clock.instant());
  }
}
