package dev.tuntas.bus;

import dev.tuntas.store.Tables;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds messages that were not published in time. They never will be; what is to happen instead is
/// put into the book in the same transaction. Any number of processes may do so.
public final class TimeoutWorker {

  private static final Logger log = LoggerFactory.getLogger(TimeoutWorker.class);
  public static final int BATCH = 100;

  private final Tables tables;
  private final MessageBook book;
  private final BusWatch watch;
  private final InstantSource clock;

  public TimeoutWorker(Tables tables, MessageBook book, BusWatch watch, InstantSource clock) {
    this.tables = tables;
    this.book = book;
    this.watch = watch;
    this.clock = clock;
  }

  /// One batch. Returns how many messages had expired.
  public int expire() {
    var expired =
        tables.write(
            "find messages past their time",
            session -> book.expire(session, clock.instant(), BATCH));
    for (var id : expired) log.atWarn().addKeyValue("message_id", id).log("Saga timeout detected");
    if (!expired.isEmpty()) {
      watch.expired(expired.size());
      log.info("Published compensation event: {}", expired.size());
    }
    return expired.size();
  }
}
