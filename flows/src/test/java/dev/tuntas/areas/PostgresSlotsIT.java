package dev.tuntas.areas;

import dev.tuntas.TestPostgres;
import dev.tuntas.store.Stores;

class PostgresSlotsIT extends SlotsContract {

  @Override
  Stores openStores() {
    return Stores.postgres(TestPostgres.newDatabase());
  }
}
