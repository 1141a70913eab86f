package dev.tuntas.inventory;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Tables;
import dev.tuntas.testservers.TestPostgres;
import java.util.List;

/// The inventory's tables in PostgreSQL: one database for all tests, because making one takes long.
final class PostgresStock implements Tables {

  private static final List<String> CHILDREN_FIRST =
      List.of(
          "reservation_holds", "taken", "bookings", "reserve_idempotency", "shelf", "catalogue");

  private static Tables shared;

  private PostgresStock() {}

  /// The tables, with nothing in them.
  static synchronized Tables empty() {
    if (shared == null) {
      shared =
          Tables.postgres(
              PostgresSettings.of(TestPostgres.newDatabase(), null, null), StockRoom.TABLES);
      Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
    }
    shared.write(
        "empty the tables",
        session -> {
          for (var table : CHILDREN_FIRST) session.update("delete from " + table);
          return true;
        });
    return new PostgresStock();
  }

  @Override
  public <T> T read(String attempted, Work<T> work) {
    return shared.read(attempted, work);
  }

  @Override
  public <T> T write(String attempted, Work<T> work) {
    return shared.write(attempted, work);
  }

  /// The next test uses them, too.
  @Override
  public void close() {}
}
