package dev.tuntas.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/// The upper bound: group commit and nothing else. Every step is called on a virtual thread, what
/// is finished goes to a queue, and each writer makes all that waits durable at once. No data, no
/// retries, no history, no fences, no notices, no recovery.
final class BareGroupCommit implements Contender {

  private static final int STEPS = 3;
  private static final int BATCH_MAX = 1_000;

  /// Makes transitions durable, many in one transaction.
  interface Writer extends AutoCloseable {
    void write(List<Bare> batch) throws SQLException;

    @Override
    void close() throws SQLException;
  }

  /// Opens a writer on a connection of its own.
  interface Opener {
    Writer open(Connection connection) throws SQLException;
  }

  /// A saga in memory; `step` is the one to be made durable next.
  static final class Bare {
    final long number;
    final String id;
    private final Runnable ended;
    int step;

    private Bare(long number, String id, Runnable ended) {
      this.number = number;
      this.id = id;
      this.ended = ended;
    }
  }

  private final Connector connector;
  private final Opener opener;
  private final int writers;
  private final AtomicLong numbers = new AtomicLong();

  BareGroupCommit(Connector connector, Opener opener, int writers) {
    this.connector = connector;
    this.opener = opener;
    this.writers = writers;
  }

  @Override
  public String name() {
    return "bare group commit, no safety";
  }

  @Override
  public Shop open() throws SQLException {
    var shop = new BareShop();
    for (int i = 0; i < writers; i++) shop.employ(opener.open(connector.connect()));
    return shop;
  }

  private final class BareShop implements Shop {

    private final BlockingQueue<Bare> queue = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();

    void employ(Writer writer) {
      threads.add(Thread.ofPlatform().daemon().name("bare-writer").start(() -> work(writer)));
    }

    @Override
    public void begin(String id, Runnable ended) {
      queue.add(new Bare(numbers.incrementAndGet(), id, ended));
    }

    private void work(Writer writer) {
      var batch = new ArrayList<Bare>(BATCH_MAX);
      try (writer) {
        while (true) {
          batch.add(queue.take());
          queue.drainTo(batch, BATCH_MAX - 1);
          writer.write(batch);
          commits.incrementAndGet();
          rows.addAndGet(batch.size());
          for (var saga : batch) goOn(saga);
          batch.clear();
        }
      } catch (InterruptedException _) {
        // the shop closes
      } catch (SQLException e) {
        throw new BenchException("bare group commit failed: " + e.getMessage(), e);
      }
    }

    private void goOn(Bare saga) {
      if (saga.step == STEPS) saga.ended.run();
      else Thread.startVirtualThread(() -> call(saga));
    }

    /// The call itself does nothing, as everybody's.
    private void call(Bare saga) {
      saga.step += 1;
      queue.add(saga);
    }

    @Override
    public void close() {
      threads.forEach(Thread::interrupt);
    }

    @Override
    public Cost cost() {
      return new Cost(commits.get(), rows.get());
    }
  }
}
