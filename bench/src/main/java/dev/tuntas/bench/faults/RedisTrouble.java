package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Redis has no room, or loses all that it knows again and again.
final class RedisTrouble implements Fault {

  private static final Duration EVERY = Duration.ofSeconds(3);

  /// What somebody does to Redis.
  private interface Blow {
    void strike(Rig rig) throws InterruptedException;
  }

  private final String name;
  private final String what;
  private final Blow blow;
  private @Nullable Again again;

  private RedisTrouble(String name, String what, Blow blow) {
    this.name = name;
    this.what = what;
    this.blow = blow;
  }

  static List<Fault> both() {
    return List.of(
        new RedisTrouble("redis-full", "Redis has no room", rig -> rig.redis().fill()),
        new RedisTrouble(
            "redis-restarts",
            "Redis is killed every three seconds and comes back empty",
            rig -> rig.redis().restart()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String what() {
    return what;
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Set<Part> parts() {
    return Set.of(Part.REDIS);
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(12);
  }

  @Override
  public boolean isHidden() {
    return true;
  }

  @Override
  public void inject(Rig rig) {
    again = Again.start(EVERY, () -> blow.strike(rig));
  }

  @Override
  public void heal(Rig rig) throws InterruptedException {
    if (again != null) again.stop();
    rig.redis().restart();
  }
}
