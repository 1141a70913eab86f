package dev.tuntas.server.wiring;

import dev.tuntas.audit.Audit;
import dev.tuntas.audit.AuditHeads;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the head of the audit log outside of the database, every minute and at the end.
final class AuditHeadKeeper implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AuditHeadKeeper.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final Audit audit;
  private final AuditHeads heads;
  private final Thread thread;

  AuditHeadKeeper(Audit audit, AuditHeads heads) {
    this.audit = audit;
    this.heads = heads;
    this.thread = Thread.ofVirtual().name("audit-heads").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        keep();
        Thread.sleep(INTERVAL);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void keep() {
    try {
      heads.keep(audit.head());
    } catch (RuntimeException | Error e) {
      log.warn("The head of the audit log could not be kept", e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
    keep();
  }
}
