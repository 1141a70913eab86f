package dev.tuntas.server.services;

import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.stereotype.Component;

/// Opens the tables of a service: in a folder of its own, or in a schema of its own.
@Component
final class ServiceTables {

  private final Settings settings;
  private final Map<String, Tables> opened = new ConcurrentSkipListMap<>();

  ServiceTables(Settings settings) {
    this.settings = settings;
  }

  Tables open(TableSet set) {
    var tables =
        settings.embedded()
            ? Tables.sqlite(settings.data().resolve(set.name()), set)
            : Tables.postgres(settings.database().postgresOfService(), set);
    opened.put(set.name(), tables);
    return tables;
  }

  /// Those that are open, by the name of their service.
  Map<String, Tables> opened() {
    return opened;
  }
}
