package dev.tuntas.server;

import dev.tuntas.store.Tables;
import java.util.concurrent.CountDownLatch;

/// Whoever wants to change the stock of a server waits until this is closed.
public final class HeldStock implements AutoCloseable {

  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread holder;

  public HeldStock(TestServer server) throws InterruptedException {
    var tables = server.context().getBean("inventoryTables", Tables.class);
    var held = new CountDownLatch(1);
    holder = Thread.ofVirtual().start(() -> tables.write("hold", _ -> hold(held)));
    held.await();
  }

  private boolean hold(CountDownLatch held) {
    held.countDown();
    try {
      over.await();
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    over.countDown();
    holder.join();
  }
}
