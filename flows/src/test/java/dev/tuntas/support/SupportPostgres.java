package dev.tuntas.support;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import dev.tuntas.testservers.TestPostgres;
import org.jspecify.annotations.Nullable;

/// The tables of the support desk on a real PostgreSQL.
public final class SupportPostgres {

  private static final String EMPTY =
      """
      truncate support_note, support_refund, support_ticket, support_cause, support_budget,
        support_delivery restart identity
      """;

  private static @Nullable Tables shared;

  private SupportPostgres() {}

  /// The support desk's tables, with nothing in them. All tests share them, one after the other.
  public static synchronized Tables tables() {
    if (shared == null) shared = open();
    shared.write("empty the tables", session -> session.update(EMPTY));
    return new Lent(shared);
  }

  private static Tables open() {
    return Tables.postgres(
        PostgresSettings.of(TestPostgres.newDatabase(), null, null), TableSet.of("support"));
  }

  /// Closing them leaves them open for the next test.
  private record Lent(Tables tables) implements Tables {
    @Override
    public <T> T read(String attempted, Work<T> work) {
      return tables.read(attempted, work);
    }

    @Override
    public <T> T write(String attempted, Work<T> work) {
      return tables.write(attempted, work);
    }

    @Override
    public void close() {}
  }
}
