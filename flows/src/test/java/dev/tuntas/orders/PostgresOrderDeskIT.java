package dev.tuntas.orders;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import dev.tuntas.testservers.TestPostgres;
import org.jspecify.annotations.Nullable;

class PostgresOrderDeskIT extends OrderDeskContract {

  private @Nullable PostgresSettings settings;

  @Override
  Stores openStores() {
    if (settings == null) settings = PostgresSettings.of(TestPostgres.newDatabase(), null, null);
    return Stores.postgres(settings);
  }
}
