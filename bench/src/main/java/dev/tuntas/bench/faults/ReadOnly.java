package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The database can be read and not written. SQLite sees what it sees on a disk that became
/// read-only: no write to its files succeeds, not even to those that are open.
final class ReadOnly implements Fault {

  @Override
  public String name() {
    return "read-only";
  }

  @Override
  public String what() {
    return "the database can be read and not written";
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(30);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  @Override
  public @Nullable String missing(StoreKind store) {
    return store == StoreKind.POSTGRES ? null : Limit.missing();
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException, SQLException {
    if (rig.store() == StoreKind.POSTGRES) Sql.readOnly(rig.database(), true);
    else Limit.FILE_SIZE.set(rig.server(), "0");
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException, SQLException {
    if (rig.store() == StoreKind.POSTGRES) Sql.readOnly(rig.database(), false);
    else Limit.FILE_SIZE.set(rig.server(), "unlimited");
  }
}
