package dev.tuntas.support;

import dev.tuntas.store.Tables;

/// The same on PostgreSQL.
class PostgresTicketsIT extends TicketsTest {

  @Override
  Tables tables() {
    return SupportPostgres.tables();
  }
}
