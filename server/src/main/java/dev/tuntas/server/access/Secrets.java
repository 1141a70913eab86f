package dev.tuntas.server.access;

import dev.tuntas.store.Tables;
import java.nio.charset.StandardCharsets;

/// Secrets that all nodes share and nobody needs to know: made once, kept beside the orders.
public final class Secrets {

  private final Tables tables;

  public Secrets(Tables tables) {
    this.tables = tables;
  }

  /// The secret of this name, made when it is first asked for.
  public String text(String name) {
    return tables.write(
        "read the secret " + name,
        session -> {
          session.update(
              "insert into access_secret (name, value) values (?, ?) on conflict do nothing",
              name,
              AccessKeys.newText().substring(3));
          return session
              .first(
                  "select value from access_secret where name = ?", row -> row.getString(1), name)
              .orElseThrow();
        });
  }

  public byte[] bytes(String name) {
    return text(name).getBytes(StandardCharsets.UTF_8);
  }
}
