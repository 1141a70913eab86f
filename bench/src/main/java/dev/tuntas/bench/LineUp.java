package dev.tuntas.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The systems of one run. `loaded` is the engine on full tables, if that is wanted; `disk` is the
/// one that is written to, if it is here.
record LineUp(
    SingleCommits reference,
    NaiveJdbc naive,
    BareGroupCommit bare,
    TuntasEngine plain,
    @Nullable TuntasEngine loaded,
    @Nullable Dbos dbos,
    @Nullable DbScheduler dbScheduler,
    @Nullable DiskAlone disk) {

  private static final int POSTGRES_CONNECTIONS = 16;
  private static final int POSTGRES_WRITERS = 2;

  static LineUp of(BenchSettings settings, Workplace workplace) throws IOException, SQLException {
    return switch (settings.store()) {
      case SQLITE -> onSqlite(settings, workplace);
      case POSTGRES -> onPostgres(settings, workplace);
    };
  }

  private static LineUp onSqlite(BenchSettings settings, Workplace workplace)
      throws IOException, SQLException {
    Connector reference = SqliteFile.in(workplace.folder("reference"))::connect;
    Connector naive = SqliteFile.in(workplace.folder("naive"))::connect;
    Connector bare = SqliteFile.in(workplace.folder("bare"))::connect;
    bare.run(BareSqlite.TABLE);
    return new LineUp(
        new SingleCommits(reference, 1),
        new NaiveJdbc(naive, 1),
        new BareGroupCommit(bare, BareSqlite::new, 1),
        plain(new TuntasStore.Sqlite(workplace.folder("tuntas"))),
        settings.loaded() ? loaded(new TuntasStore.Sqlite(workplace.folder("loaded"))) : null,
        dbos(settings, workplace),
        dbScheduler(settings, workplace),
        disk(settings, workplace));
  }

  private static LineUp onPostgres(BenchSettings settings, Workplace workplace)
      throws SQLException {
    var server = workplace.postgres();
    Connector bare = server.schema("bare")::connect;
    bare.run(BarePostgres.TABLE);
    return new LineUp(
        new SingleCommits(server.schema("reference")::connect, POSTGRES_CONNECTIONS),
        new NaiveJdbc(server.schema("naive")::connect, POSTGRES_CONNECTIONS),
        new BareGroupCommit(bare, BarePostgres::new, POSTGRES_WRITERS),
        plain(new TuntasStore.Postgres(server.schema("tuntas"))),
        settings.loaded() ? loaded(new TuntasStore.Postgres(server.schema("loaded"))) : null,
        dbos(settings, workplace),
        dbScheduler(settings, workplace),
        disk(settings, workplace));
  }

  private static TuntasEngine plain(TuntasStore store) {
    return new TuntasEngine("Tuntas", store);
  }

  private static TuntasEngine loaded(TuntasStore store) {
    return new TuntasEngine("Tuntas, full tables", store);
  }

  private static @Nullable Dbos dbos(BenchSettings settings, Workplace workplace)
      throws SQLException {
    return settings.peers() ? new Dbos(workplace.postgres().schema("dbos")) : null;
  }

  private static @Nullable DbScheduler dbScheduler(BenchSettings settings, Workplace workplace)
      throws SQLException {
    return settings.peers() ? new DbScheduler(workplace.postgres().schema("db_scheduler")) : null;
  }

  /// Of a server elsewhere the disk is not known.
  private static @Nullable DiskAlone disk(BenchSettings settings, Workplace workplace) {
    return settings.url() == null ? new DiskAlone(workplace.folder("disk")) : null;
  }

  /// What it is all about.
  TuntasEngine subject() {
    return loaded == null ? plain : loaded;
  }

  /// In the order in which they take turns.
  List<Contender> contenders() {
    var all = new ArrayList<Contender>(List.of(naive, bare, plain));
    if (loaded != null) all.add(loaded);
    if (dbos != null) all.add(dbos);
    if (dbScheduler != null) all.add(dbScheduler);
    return all;
  }
}
