package dev.tuntas.bench;

import dev.tuntas.engine.DataCodec;
import dev.tuntas.store.JacksonDataCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/// What one would write without an engine: a row per saga, one commit per transition, a few
/// connections.
final class NaiveJdbc implements Contender {

  private static final int TRANSITIONS = 4;

  private final Connector connector;
  private final int connections;

  NaiveJdbc(Connector connector, int connections) throws SQLException {
    this.connector = connector;
    this.connections = connections;
    connector.run(
        "create table naive_saga (id text primary key, step integer not null, data text not null)");
  }

  @Override
  public String name() {
    return "plain JDBC, one commit per transition";
  }

  @Override
  public Shop open() throws SQLException {
    var shop = new NaiveShop();
    for (int i = 0; i < connections; i++) shop.add(new Till(connector.connect(), shop));
    return shop;
  }

  private record Customer(String id, Runnable ended) {}

  private static final class NaiveShop implements Shop {

    private final List<Thread> threads = new ArrayList<>();
    private final BlockingQueue<Customer> queue = new LinkedBlockingQueue<>();
    private final AtomicLong served = new AtomicLong();

    void add(Till till) {
      threads.add(Thread.ofPlatform().daemon().name("naive-till").start(till::serve));
    }

    @Override
    public void begin(String id, Runnable ended) {
      queue.add(new Customer(id, ended));
    }

    @Override
    public void close() {
      threads.forEach(Thread::interrupt);
    }

    @Override
    public Cost cost() {
      return new Cost(served.get() * TRANSITIONS, served.get() * TRANSITIONS);
    }
  }

  /// A connection and its thread; it serves one customer from begin to end.
  private static final class Till {

    private final Connection connection;
    private final NaiveShop shop;
    private final DataCodec codec = new JacksonDataCodec();

    Till(Connection connection, NaiveShop shop) {
      this.connection = connection;
      this.shop = shop;
    }

    private void serve() {
      try (connection;
          var insert =
              connection.prepareStatement(
                  "insert into naive_saga (step, data, id) values (?, ?, ?)");
          var update =
              connection.prepareStatement(
                  "update naive_saga set step = ?, data = ? where id = ?")) {
        while (true) {
          var customer = shop.queue.take();
          checkOut(insert, update, customer.id());
          shop.served.incrementAndGet();
          customer.ended().run();
        }
      } catch (InterruptedException _) {
        // the shop closes
      } catch (SQLException e) {
        throw new BenchException("plain JDBC failed: " + e.getMessage(), e);
      }
    }

    private void checkOut(PreparedStatement insert, PreparedStatement update, String id)
        throws SQLException {
      var order = Order.of(id);
      write(insert, 0, order);
      order = order.paid();
      write(update, 1, order);
      order = order.committed();
      write(update, 2, order);
      order = order.confirmed();
      write(update, 3, order);
    }

    private void write(PreparedStatement statement, int step, Order order) throws SQLException {
      statement.setInt(1, step);
      statement.setString(2, codec.encode(order, Order.class));
      statement.setString(3, order.orderId());
      statement.executeUpdate();
    }
  }
}
