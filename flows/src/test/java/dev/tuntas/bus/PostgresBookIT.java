package dev.tuntas.bus;

import dev.tuntas.TestPostgres;
import dev.tuntas.store.Tables;

/// The same on PostgreSQL, where transactions run side by side.
class PostgresBookIT extends BookRules {

  @Override
  Tables open() {
    return Tables.postgres(TestPostgres.newDatabase(), MessageBook.TABLES);
  }
}
