package dev.tuntas.server.access;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import dev.tuntas.testservers.TestPostgres;
import java.nio.file.Path;

final class PostgresAuditIT extends AuditContract {

  @Override
  Stores open(Path folder) {
    return Stores.postgres(PostgresSettings.of(TestPostgres.newDatabase(), null, null));
  }

  @Override
  void unlock(Tables tables) {
    run("drop trigger access_audit_no_change on access_audit");
  }
}
