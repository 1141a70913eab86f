package dev.tuntas.server.wiring;

import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import org.springframework.stereotype.Component;

/// Opens the database that a service has for itself: a folder beside that of the orders, or a
/// schema of its own.
@Component
final class ServiceDatabases {

  private final Settings settings;

  ServiceDatabases(Settings settings) {
    this.settings = settings;
  }

  /// The tables of `dev/tuntas/{name}`.
  Tables open(String name) {
    var set = TableSet.of(name);
    return settings.embedded()
        ? Tables.sqlite(settings.data().resolve(name), set)
        : Tables.postgres(StoreWiring.postgres(settings.database()), set);
  }
}
