package dev.tuntas.server.access;

import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.InstantSource;

final class SqliteAuditTest extends AuditContract {

  @Override
  Stores open(Path folder) {
    return Stores.sqlite(folder.resolve("orders"), InstantSource.system());
  }

  @Override
  void unlock(Tables tables) {
    run("drop trigger access_audit_no_update");
    run("drop trigger access_audit_no_delete");
  }
}
