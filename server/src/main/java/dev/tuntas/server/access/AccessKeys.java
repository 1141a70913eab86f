package dev.tuntas.server.access;

import dev.tuntas.audit.Audit;
import dev.tuntas.audit.AuditEntry;
import dev.tuntas.server.http.Fingerprint;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys that clients call with. Only their hashes are stored: a key has 256 random bits, so
/// that no slow hash is needed.
public final class AccessKeys {

  /// A key without its text, which nobody knows but who it was given to.
  ///
  /// @param trusted whether what it says about customers is believed
  /// @param hint how it begins, to tell it from others
  public record AccessKey(
      String id,
      String client,
      Set<Role> roles,
      boolean trusted,
      String hint,
      Instant createdAt,
      String createdBy,
      @Nullable Instant revokedAt) {}

  /// A new key and its text, which is never seen again.
  public record Made(AccessKey key, String text) {}

  public static final int ACTIVE_MAX = 10_000;

  private static final String COLUMNS =
      "id, client, roles, hint, created_at, created_by, revoked_at, trusted";
  private static final SecureRandom CHANCE = new SecureRandom();
  private static final int HINT_LENGTH = 7;

  private final Tables tables;
  private final Audit audit;
  private final InstantSource clock;

  public AccessKeys(Tables tables, Audit audit, InstantSource clock) {
    this.tables = tables;
    this.audit = audit;
    this.clock = clock;
  }

  /// A text that can be a key: 256 random bits behind a prefix that tells what it is.
  public static String newText() {
    var bytes = new byte[32];
    CHANCE.nextBytes(bytes);
    return "tk_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// Makes a key; nothing if there are too many.
  public Optional<Made> make(String client, Set<Role> roles, boolean trusted, Caller by) {
    var text = newText();
    return tables.write(
        "make a key",
        session -> {
          if (active(session) >= ACTIVE_MAX) return Optional.empty();
          var key = insert(session, client, roles, trusted, text, by.client()).orElseThrow();
          audit.append(
              session,
              by.did("key.created", key.id())
                  .changing(null, client + " " + Role.join(roles) + (trusted ? "" : " untrusted")));
          return Optional.of(new Made(key, text));
        });
  }

  /// Makes sure that a key given from outside works, and that those given for the same client at
  /// earlier starts no longer do. A key that was revoked stays so.
  void ensure(String client, Set<Role> roles, String text) {
    tables.write(
        "take over a key",
        session -> {
          var hash = Fingerprint.sha256(text);
          session.update(
              """
              update access_key set revoked_at = ?
               where client = ? and created_by = 'start' and hash <> ? and revoked_at is null
              """,
              clock.instant(),
              client,
              hash);
          var key = insert(session, client, roles, true, text, "start");
          if (key.isPresent()) {
            audit.append(
                session,
                AuditEntry.byProgram("key.created", key.get().id())
                    .changing(null, client + " " + Role.join(roles)));
          }
          return true;
        });
  }

  /// Nothing, if it is there already: another process may have been given the same.
  private Optional<AccessKey> insert(
      Session session, String client, Set<Role> roles, boolean trusted, String text, String by)
      throws SQLException {
    var id = newId();
    var now = Instant.ofEpochMilli(clock.millis());
    var hint = text.startsWith("tk_") ? text.substring(0, HINT_LENGTH) : "";
    int inserted =
        session.update(
            """
            insert into access_key (id, client, roles, hash, hint, created_at, created_by, trusted)
            values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (hash) do nothing
            """,
            id,
            client,
            Role.join(roles),
            Fingerprint.sha256(text),
            hint,
            now,
            by,
            trusted);
    return inserted == 0
        ? Optional.empty()
        : Optional.of(new AccessKey(id, client, roles, trusted, hint, now, by, null));
  }

  private static String newId() {
    var bytes = new byte[8];
    CHANCE.nextBytes(bytes);
    return "key_" + HexFormat.of().formatHex(bytes);
  }

  public enum Revoked {
    NOW,
    BEFORE,
    UNKNOWN,
    /// It is the last key that can make others.
    LAST_ADMIN
  }

  public Revoked revoke(String id, Caller by) {
    return tables.write(
        "revoke a key",
        session -> {
          // Locks all admin keys, so that two of them cannot revoke each other at once.
          var admins = admins(session, "for update");
          var known =
              session.first(
                  "select " + COLUMNS + " from access_key where id = ?", AccessKeys::read, id);
          if (known.isEmpty()) return Revoked.UNKNOWN;
          if (known.get().revokedAt() != null) return Revoked.BEFORE;
          if (admins.equals(List.of(id))) return Revoked.LAST_ADMIN;
          session.update("update access_key set revoked_at = ? where id = ?", clock.instant(), id);
          audit.append(session, by.did("key.revoked", id).changing(known.get().client(), null));
          return Revoked.NOW;
        });
  }

  boolean hasAdmin() {
    return tables.read("look for an admin key", session -> !admins(session, "").isEmpty());
  }

  private static List<String> admins(Session session, String lock) throws SQLException {
    return session.list(
        """
        select id from access_key
         where revoked_at is null and roles like '%admin%' order by id
        """
            + lock,
        row -> row.getString(1));
  }

  private static long active(Session session) throws SQLException {
    return session
        .first("select count(*) from access_key where revoked_at is null", row -> row.getLong(1))
        .orElse(0L);
  }

  /// Keys made before one, newest first.
  public List<AccessKey> newest(Optional<String> before, int limit) {
    return tables.read(
        "list keys",
        session ->
            before.isEmpty()
                ? session.list(
                    "select "
                        + COLUMNS
                        + " from access_key order by created_at desc, id desc limit ?",
                    AccessKeys::read,
                    limit)
                : session.list(
                    "select "
                        + COLUMNS
                        + """
                           from access_key
                         where (created_at, id) < (select created_at, id from access_key where id = ?)
                         order by created_at desc, id desc limit ?
                        """,
                    AccessKeys::read,
                    before.get(),
                    limit));
  }

  /// A key that works, with the hash it is found by.
  record Active(String hash, AccessKey key) {}

  List<Active> allActive() {
    return tables.read(
        "read the keys",
        session ->
            session.list(
                "select " + COLUMNS + ", hash from access_key where revoked_at is null",
                row -> new Active(row.getString(9), read(row))));
  }

  private static AccessKey read(ResultSet row) throws SQLException {
    return new AccessKey(
        row.getString(1),
        row.getString(2),
        Role.split(row.getString(3)),
        row.getBoolean(8),
        row.getString(4),
        Instant.ofEpochMilli(row.getLong(5)),
        row.getString(6),
        Session.time(row, 7));
  }
}
