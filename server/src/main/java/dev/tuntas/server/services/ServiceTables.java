package dev.tuntas.server.services;

import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import org.springframework.stereotype.Component;

/// Opens the tables of a service: in a folder of its own, or in a schema of its own.
@Component
final class ServiceTables {

  private final Settings settings;

  ServiceTables(Settings settings) {
    this.settings = settings;
  }

  Tables open(TableSet set) {
    return settings.embedded()
        ? Tables.sqlite(settings.data().resolve(set.name()), set)
        : Tables.postgres(settings.database().postgresOfService(), set);
  }
}
