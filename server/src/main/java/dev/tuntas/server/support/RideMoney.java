package dev.tuntas.server.support;

import dev.tuntas.orders.RideSaga;
import dev.tuntas.store.Session;
import dev.tuntas.store.Stores;
import dev.tuntas.support.MoneyNews;
import dev.tuntas.support.Refund;
import java.sql.SQLException;
import java.time.InstantSource;

/// News of a ride's money as signals in the inbox of its saga: only the ride says what it is
/// called.
public final class RideMoney implements MoneyNews {

  private final Stores stores;
  private final InstantSource clock;

  public RideMoney(Stores stores, InstantSource clock) {
    this.stores = stores;
    this.clock = clock;
  }

  @Override
  public void refundBegun(Session session, Refund refund) throws SQLException {
    stores.say(session, refund.orderId(), RideSaga.refundBegun(refund.id()), clock.instant());
  }

  @Override
  public void refundMade(Session session, Refund last) throws SQLException {
    for (var signal : RideSaga.refundMade(last.id())) {
      stores.say(session, last.orderId(), signal, clock.instant());
    }
  }
}
