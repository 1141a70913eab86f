package dev.tuntas.orders;

import dev.tuntas.TestPostgres;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import org.jspecify.annotations.Nullable;

class PostgresOrderDeskIT extends OrderDeskContract {

  private @Nullable PostgresSettings settings;

  @Override
  Stores openStores() {
    if (settings == null) settings = TestPostgres.newDatabase();
    return Stores.postgres(settings);
  }
}
