package dev.tuntas.server.support;

import dev.tuntas.audit.Audit;
import dev.tuntas.engine.Outbox;
import dev.tuntas.notify.DeadDeliveries.Fate;
import java.util.List;
import java.util.function.LongPredicate;

/// Notices that nobody took. The outbox works in transactions of its own, so that a deed is written
/// down before it is done.
final class NoticeQueue implements DeadLetterQueue {

  private static final int ALL = 100_000;

  private final Outbox outbox;
  private final Audit audit;

  NoticeQueue(Outbox outbox, Audit audit) {
    this.outbox = outbox;
    this.audit = audit;
  }

  @Override
  public String name() {
    return "notice";
  }

  @Override
  public List<DeadLetter> list(int limit) {
    return outbox.deadLetters(limit).stream()
        .map(
            dead ->
                new DeadLetter(
                    name() + "-" + dead.entry().pos(),
                    name(),
                    dead.entry().sagaId(),
                    dead.entry().type() + " " + dead.entry().eventId(),
                    dead.error(),
                    dead.entry().attempts(),
                    dead.entry().at()))
        .toList();
  }

  @Override
  public Fate replay(String key, Wish wish) {
    return take(key, wish, "replay", outbox::revive);
  }

  @Override
  public Fate discard(String key, Wish wish) {
    return take(key, wish, "discard", outbox::discard);
  }

  /// A notice that is published is forgotten, so that one put back before is as unknown as one that
  /// never was.
  @Override
  public boolean has(String key) {
    var id = name() + "-" + key;
    return list(ALL).stream().anyMatch(letter -> letter.id().equals(id));
  }

  private Fate take(String key, Wish wish, String verb, LongPredicate step) {
    var id = name() + "-" + key;
    audit.append(wish.caller().did("dead_letter." + verb, id).because(wish.reason()));
    return step.test(Long.parseLong(key)) ? Fate.DONE : Fate.ALREADY;
  }
}
