package dev.tuntas.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;

/// A SQLite file with durable settings.
record SqliteFile(Path path) {

  static SqliteFile in(Path folder) throws IOException {
    Files.createDirectories(folder);
    return new SqliteFile(folder.resolve("bench.db"));
  }

  Connection connect() throws SQLException {
    var config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    return config.createConnection("jdbc:sqlite:" + path);
  }
}
