package dev.tuntas.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.tuntas.bench.PostgresServer.Schema;
import java.sql.SQLException;

/// DBOS Transact: a workflow of three steps. It publishes nothing at the end.
final class Dbos implements Contender {

  private static final int CONNECTIONS = 16;

  private final Schema schema;

  Dbos(Schema schema) {
    this.schema = schema;
  }

  @Override
  public String name() {
    return "DBOS Transact " + DBOS.version() + " (PostgreSQL)";
  }

  @Override
  public Shop open() throws SQLException {
    return new DbosShop(schema);
  }

  /// What DBOS makes durable, through a proxy.
  interface Checkouts {
    void checkOut(Order order);
  }

  /// The three steps in one workflow.
  private record Workflows(DBOS dbos) implements Checkouts {

    @Override
    @Workflow(name = "checkout")
    public void checkOut(Order order) {
      var paid = dbos.runStep(order::paid, "payment");
      var committed = dbos.runStep(paid::committed, "inventory");
      dbos.runStep(committed::confirmed, "confirm");
    }
  }

  private static final class DbosShop implements Shop {

    private final HikariDataSource pool;
    private final DBOS dbos;
    private final Checkouts checkouts;
    private final PostgresCost cost;

    DbosShop(Schema schema) throws SQLException {
      pool = Pools.of(schema, CONNECTIONS);
      dbos =
          new DBOS(
              DBOSConfig.defaults("tuntas-bench")
                  .withDataSource(pool)
                  .withDatabaseSchema(schema.name())
                  .withAppVersion("1"));
      checkouts = dbos.registerProxy(Checkouts.class, new Workflows(dbos));
      dbos.launch();
      cost = new PostgresCost(schema);
    }

    @Override
    public void begin(String id, Runnable ended) {
      Thread.startVirtualThread(() -> checkOut(id, ended));
    }

    private void checkOut(String id, Runnable ended) {
      var order = Order.of(id);
      dbos.startWorkflow(() -> checkouts.checkOut(order), new StartWorkflowOptions(id)).getResult();
      ended.run();
    }

    @Override
    public void close() {
      dbos.shutdown();
      pool.close();
    }

    @Override
    public Cost cost() throws SQLException {
      return cost.since();
    }
  }
}
