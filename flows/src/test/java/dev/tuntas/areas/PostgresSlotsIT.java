package dev.tuntas.areas;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import dev.tuntas.testservers.TestPostgres;

class PostgresSlotsIT extends SlotsContract {

  @Override
  Stores openStores() {
    return Stores.postgres(PostgresSettings.of(TestPostgres.newDatabase(), null, null));
  }
}
