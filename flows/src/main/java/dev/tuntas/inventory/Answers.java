package dev.tuntas.inventory;

import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What was answered to each key: what was done, in the transaction of the change itself, and what
/// was refused. A request that was refused and arrives once more is refused again, even if there is
/// stock by then: its order has turned back meanwhile.
final class Answers {

  private static final String FIND =
      """
      select fingerprint, response, refusal from reserve_idempotency
       where operation = ? and key = ?
      """;

  private static final String STORE =
      """
      insert into reserve_idempotency (operation, key, fingerprint, response, refusal, created_at)
      values (?, ?, ?, ?, ?, ?) on conflict do nothing
      """;

  /// @param refusal the code of a refusal, whose sentence is then the response
  private record Stored(String fingerprint, String response, @Nullable String refusal) {}

  private static final JacksonDataCodec CODEC = new JacksonDataCodec();

  private final Session session;

  Answers(Session session) {
    this.session = session;
  }

  /// The answer that was given before; a key that was used for something else is refused.
  <T> Optional<T> find(Question question, Class<T> type) throws SQLException {
    var stored = stored(question);
    if (stored.isEmpty()) return Optional.empty();
    if (!stored.get().fingerprint.equals(question.fingerprint())) throw reused(question);
    var refusal = stored.get().refusal;
    if (refusal != null) throw new Refusal(refusal, stored.get().response);
    return Optional.of(CODEC.decode(stored.get().response, type));
  }

  private Optional<Stored> stored(Question question) throws SQLException {
    return session.first(
        FIND,
        row -> new Stored(row.getString(1), row.getString(2), row.getString(3)),
        question.operation(),
        question.key());
  }

  /// Remembers a refusal. False when the same request was served meanwhile.
  boolean refuse(Question question, Refusal refusal, Instant now) throws SQLException {
    session.update(
        STORE,
        question.operation(),
        question.key(),
        question.fingerprint(),
        refusal.detail(),
        refusal.code(),
        now);
    return stored(question).map(it -> it.refusal != null).orElse(true);
  }

  <T> void store(Question question, T answer, Class<T> type, Instant now) throws SQLException {
    var response = CODEC.encode(answer, type);
    int stored =
        session.update(
            STORE,
            question.operation(),
            question.key(),
            question.fingerprint(),
            response,
            null,
            now);
    if (stored == 0) throw reused(question); // by another order: this one's row is locked
  }

  private static Refusal reused(Question question) {
    return new Refusal(
        Refusal.KEY_REUSED,
        "The key " + question.key() + " was used for another " + question.operation() + ".");
  }
}
