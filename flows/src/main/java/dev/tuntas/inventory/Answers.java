package dev.tuntas.inventory;

import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/// What was answered to each key, in the transaction of the change itself. Only what was done is
/// written down: a refusal changed nothing, and the same key may ask again.
final class Answers {

  private static final String FIND =
      "select fingerprint, response from reserve_idempotency where operation = ? and key = ?";

  private static final String STORE =
      """
      insert into reserve_idempotency (operation, key, fingerprint, response, created_at)
      values (?, ?, ?, ?, ?) on conflict do nothing
      """;

  private record Stored(String fingerprint, String response) {}

  private static final JacksonDataCodec CODEC = new JacksonDataCodec();

  private final Session session;

  Answers(Session session) {
    this.session = session;
  }

  /// The answer that was given before; a key that was used for something else is refused.
  <T> Optional<T> find(Question question, Class<T> type) throws SQLException {
    var stored =
        session.first(
            FIND,
            row -> new Stored(row.getString(1), row.getString(2)),
            question.operation(),
            question.key());
    if (stored.isEmpty()) return Optional.empty();
    if (!stored.get().fingerprint.equals(question.fingerprint())) throw reused(question);
    return Optional.of(CODEC.decode(stored.get().response, type));
  }

  <T> void store(Question question, T answer, Class<T> type, Instant now) throws SQLException {
    var response = CODEC.encode(answer, type);
    int stored =
        session.update(
            STORE, question.operation(), question.key(), question.fingerprint(), response, now);
    if (stored == 0) throw reused(question); // by another order: this one's row is locked
  }

  private static Refusal reused(Question question) {
    return new Refusal(
        "idempotency_key_reused",
        "The key " + question.key() + " was used for another " + question.operation() + ".");
  }
}
