package dev.tuntas.bus;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Tables;
import dev.tuntas.testservers.TestPostgres;

/// The same on PostgreSQL, where transactions run side by side.
class PostgresBookIT extends BookRules {

  @Override
  Tables open() {
    return Tables.postgres(
        PostgresSettings.of(TestPostgres.newDatabase(), null, null), MessageBook.TABLES);
  }
}
