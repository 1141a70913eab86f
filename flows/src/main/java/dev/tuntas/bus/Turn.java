package dev.tuntas.bus;

import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/// One of several processes does something at a time: whoever has the turn, for a while. If clocks
/// disagree two may have it at once, so that doing it twice must do no harm.
final class Turn {

  private static final String BEGIN =
      "insert into bus_turn (name, holder, until) values (?, ?, ?) on conflict (name) do nothing";

  private static final String TAKE =
      """
      update bus_turn set holder = ?, until = ?
       where name = ? and (holder = ? or until < ? or until > ?)
      """;

  private static final String GIVE = "update bus_turn set until = 0 where name = ? and holder = ?";

  private final String name;
  private final String holder;
  private final Duration lasts;

  Turn(String name, String holder, Duration lasts) {
    this.name = name;
    this.holder = holder;
    this.lasts = lasts;
  }

  /// Whether it is ours now. A turn that ends later than one could was taken by a wrong clock.
  boolean take(Session session, Instant now) throws SQLException {
    var until = now.plus(lasts);
    if (session.update(TAKE, holder, until, name, holder, now, now.plus(lasts.multipliedBy(2)))
        == 1) {
      return true;
    }
    return session.update(BEGIN, name, holder, until) == 1;
  }

  void give(Session session) throws SQLException {
    session.update(GIVE, name, holder);
  }
}
