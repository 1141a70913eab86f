package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/// Somebody makes PostgreSQL's database read-only for those who connect, and ends all connections.
/// Those that are made meanwhile stay read-only when it is taken back.
final class ReadOnlySessions implements Fault {

  @Override
  public String name() {
    return "read-only-sessions";
  }

  @Override
  public String what() {
    return "whoever connects to the database can read and not write";
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(15);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  @Override
  public void inject(Rig rig) throws SQLException {
    Sql.run(
        rig.database(),
        "alter database postgres set default_transaction_read_only = on",
        SessionsEnded.END_ALL);
  }

  @Override
  public void heal(Rig rig) throws SQLException {
    Sql.run(
        rig.database(),
        "set default_transaction_read_only = off",
        "alter database postgres reset default_transaction_read_only");
  }
}
