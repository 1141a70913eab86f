package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Somebody ends all connections to PostgreSQL, every second.
final class SessionsEnded implements Fault {

  private static final Duration EVERY = Duration.ofSeconds(1);

  static final String END_ALL =
      "select pg_terminate_backend(pid) from pg_stat_activity"
          + " where backend_type = 'client backend' and pid <> pg_backend_pid()";

  private @Nullable Again ending;

  @Override
  public String name() {
    return "sessions-ended";
  }

  @Override
  public String what() {
    return "somebody ends all connections to PostgreSQL, every second";
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public void inject(Rig rig) {
    ending = Again.start(EVERY, () -> Sql.run(rig.database(), END_ALL));
  }

  @Override
  public void heal(Rig rig) throws InterruptedException {
    if (ending != null) ending.stop();
  }
}
