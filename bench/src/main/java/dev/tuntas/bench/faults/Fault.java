package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.chaos.Told;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Something that goes wrong around the server, and how it is set right again.
interface Fault {

  /// What has to be there besides the server and its store.
  enum Part {
    /// PostgreSQL is reached over a [Wire].
    DATABASE_WIRE,
    REDIS,
    KAFKA,
    RABBITMQ
  }

  /// As on the command line.
  String name();

  /// What happens, in a few words.
  String what();

  default Set<StoreKind> stores() {
    return EnumSet.allOf(StoreKind.class);
  }

  default Set<Part> parts() {
    return Set.of();
  }

  /// Why it cannot be done on this machine, in a sentence; null if it can.
  default @Nullable String missing(StoreKind store) {
    return null;
  }

  /// How long it lasts.
  default Duration lasts() {
    return Duration.ofSeconds(10);
  }

  /// How much longer than usual orders may take to end afterwards.
  default Duration settlesLater() {
    return Duration.ZERO;
  }

  /// Whether customers should see nothing of it.
  default boolean isHidden() {
    return false;
  }

  /// Whether some customers must see it: otherwise nothing went wrong, and nothing was shown.
  default boolean isSeen() {
    return false;
  }

  /// How many of the orders that come in while it lasts must end before it is over, of one.
  default double endedShareMin(StoreKind store) {
    return 0;
  }

  /// Says how things are to be started, before anything is.
  default void prepare(Rig rig) throws IOException, InterruptedException {}

  /// What happens before the server runs, with everything else in place.
  default void beforeStart(Rig rig) throws IOException, InterruptedException, SQLException {}

  /// Whether anything happens to the server while it runs.
  default boolean strikes() {
    return true;
  }

  default void inject(Rig rig) throws IOException, InterruptedException, SQLException {}

  default void heal(Rig rig) throws IOException, InterruptedException, SQLException {}

  /// What else must be true when orders move again: a sentence for each thing that is not.
  default List<String> check(Rig rig, Sightings during)
      throws IOException, InterruptedException, SQLException {
    return List.of();
  }

  /// What is wrong with how orders ended, in sentences.
  default List<String> judge(Collection<Told> ends) {
    return List.of();
  }
}
