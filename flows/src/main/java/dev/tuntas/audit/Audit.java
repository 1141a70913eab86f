package dev.tuntas.audit;

import dev.tuntas.audit.AuditEntry.Result;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The record of what operators did. Entries are numbered without gaps, and each holds the hash of
/// the one before: whoever changes, removes or swaps one breaks the chain. Whoever writes the whole
/// chain anew is found by its heads, which are kept in a second place: see [AuditHeads].
public final class Audit {

  /// An entry with its place in the chain.
  public record Link(long seq, Instant at, AuditEntry entry, String prevHash, String hash) {}

  /// The newest entry: its number and hash. Before the first, 0 and nothing.
  public record Head(long seq, String hash) {}

  private static final String COLUMNS =
      "seq, at, actor, key_id, roles, address, action, subject, result, before_text, after_text,"
          + " reason, trace_id, prev_hash, entry_hash";

  private final Tables tables;
  private final InstantSource clock;

  public Audit(Tables tables, InstantSource clock) {
    this.tables = tables;
    this.clock = clock;
  }

  /// Appends in the caller's transaction: what was done and its entry are committed together.
  public void append(Session session, AuditEntry entry) throws SQLException {
    // The lock makes the sequence gapless; it lasts to the end of the transaction.
    var head = head(session, "for update");
    var link = link(head, clock.instant(), entry);
    session.update(
        "insert into access_audit ("
            + COLUMNS
            + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        link.seq,
        link.at,
        entry.actor(),
        entry.keyId(),
        entry.roles(),
        entry.address(),
        entry.action(),
        entry.subject(),
        entry.result().name().toLowerCase(Locale.ROOT),
        entry.before(),
        entry.after(),
        entry.reason(),
        entry.traceId(),
        link.prevHash,
        link.hash);
    session.update(
        "update access_audit_head set seq = ?, hash = ? where id = 1", link.seq, link.hash);
  }

  /// Appends in a transaction of its own.
  public void append(AuditEntry entry) {
    tables.write(
        "append to the audit log",
        session -> {
          append(session, entry);
          return true;
        });
  }

  public Head head() {
    return tables.read("read the head of the audit log", session -> head(session, ""));
  }

  private static Head head(Session session, String lock) throws SQLException {
    return session
        .first(
            "select seq, hash from access_audit_head where id = 1 " + lock,
            row -> new Head(row.getLong(1), row.getString(2)))
        .orElseThrow(() -> new IllegalStateException("the head of the audit log is gone"));
  }

  /// Entries before a number, newest first.
  public List<Link> newest(Optional<Long> before, int limit) {
    return tables.read(
        "list the audit log",
        session ->
            session.list(
                "select " + COLUMNS + " from access_audit where seq < ? order by seq desc limit ?",
                Audit::read,
                before.orElse(Long.MAX_VALUE),
                limit));
  }

  /// Entries after a number, oldest first.
  List<Link> oldest(long after, int limit) {
    return tables.read(
        "read the audit log",
        session ->
            session.list(
                "select " + COLUMNS + " from access_audit where seq > ? order by seq limit ?",
                Audit::read,
                after,
                limit));
  }

  static Link link(Head head, Instant at, AuditEntry entry) {
    long seq = head.seq + 1;
    var millis = Instant.ofEpochMilli(at.toEpochMilli());
    return new Link(seq, millis, entry, head.hash, hash(seq, millis, entry, head.hash));
  }

  /// Every part with its length, so that nothing can move from one to the next.
  static String hash(long seq, Instant at, AuditEntry entry, String prevHash) {
    return sha256(
        Stream.of(
                prevHash,
                seq,
                at.toEpochMilli(),
                entry.actor(),
                entry.keyId(),
                entry.roles(),
                entry.address(),
                entry.action(),
                entry.subject(),
                entry.result(),
                Optional.ofNullable(entry.before()),
                Optional.ofNullable(entry.after()),
                Optional.ofNullable(entry.reason()),
                entry.traceId())
            .map(String::valueOf)
            .map(part -> part.length() + ":" + part)
            .collect(Collectors.joining("|")));
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static Link read(ResultSet row) throws SQLException {
    var entry =
        new AuditEntry(
            row.getString(3),
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getString(7),
            row.getString(8),
            Result.valueOf(row.getString(9).toUpperCase(Locale.ROOT)),
            row.getString(10),
            row.getString(11),
            row.getString(12),
            row.getString(13));
    var at = Instant.ofEpochMilli(row.getLong(2));
    return new Link(row.getLong(1), at, entry, row.getString(14), row.getString(15));
  }
}
