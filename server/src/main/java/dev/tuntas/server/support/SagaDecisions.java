package dev.tuntas.server.support;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.Ruling;
import dev.tuntas.engine.Status;
import dev.tuntas.store.Session;
import dev.tuntas.store.Stores;
import dev.tuntas.support.Decisions;
import java.sql.SQLException;
import java.time.InstantSource;

/// Tells sagas what people found out, through their inbox and in the transaction of the finding.
public final class SagaDecisions implements Decisions {

  private final Stores stores;
  private final Engine engine;
  private final InstantSource clock;

  public SagaDecisions(Stores stores, Engine engine, InstantSource clock) {
    this.stores = stores;
    this.engine = engine;
    this.clock = clock;
  }

  @Override
  public boolean waits(Session session, String sagaId) {
    return stores.sagas().find(sagaId).filter(row -> row.status() == Status.HELD).isPresent();
  }

  @Override
  public void rule(Session session, String sagaId, Finding finding) throws SQLException {
    var saga = stores.sagas().find(sagaId);
    if (saga.isEmpty()) throw new IllegalStateException("there is no saga " + sagaId);
    var kind = finding.happened() ? Ruling.Kind.HAPPENED : Ruling.Kind.DID_NOT_HAPPEN;
    var evidence = finding.evidence();
    var reason = evidence.isBlank() ? "found out by hand" : evidence;
    var ruling = new Ruling(kind, finding.actor(), reason, evidence, saga.get().version());
    var signal = ruling.asSignal(engine.rulingName());
    stores.say(session, sagaId, signal, clock.instant());
  }
}
