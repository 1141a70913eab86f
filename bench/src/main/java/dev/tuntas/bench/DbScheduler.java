package dev.tuntas.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.CompletionHandler.OnCompleteReplace;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.tuntas.bench.PostgresServer.Schema;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.json.JsonMapper;

/// db-scheduler: a one-time task per step, each replaced by the next one when it completes, taken
/// by lock-and-fetch. It publishes nothing at the end.
final class DbScheduler implements Contender {

  private static final int THREADS = 32;
  private static final int SUBMITTING = 4;
  private static final double FETCH_BELOW = 1.0;
  private static final double FETCH_UP_TO = 4.0;
  private static final Duration POLL_EVERY = Duration.ofMillis(10);

  private static final TaskDescriptor<Order> PAYMENT = TaskDescriptor.of("payment", Order.class);
  private static final TaskDescriptor<Order> INVENTORY =
      TaskDescriptor.of("inventory", Order.class);
  private static final TaskDescriptor<Order> CONFIRM = TaskDescriptor.of("confirm", Order.class);

  private static final String TABLE =
      """
      create table scheduled_tasks (
        task_name text not null,
        task_instance text not null,
        task_data bytea,
        execution_time timestamptz,
        picked boolean not null,
        picked_by text,
        last_success timestamptz,
        last_failure timestamptz,
        consecutive_failures int,
        last_heartbeat timestamptz,
        version bigint not null,
        priority smallint,
        state text,
        primary key (task_name, task_instance))
      """;

  private final Schema schema;

  DbScheduler(Schema schema) throws SQLException {
    this.schema = schema;
    Connector connector = schema::connect;
    connector.run(
        TABLE,
        "create index on scheduled_tasks (execution_time)",
        "create index on scheduled_tasks (last_heartbeat)");
  }

  @Override
  public String name() {
    return "db-scheduler, chained (PostgreSQL)";
  }

  @Override
  public Shop open() throws SQLException {
    return new SchedulerShop(schema);
  }

  private static final class SchedulerShop implements Shop {

    private final Map<String, Runnable> underWay = new ConcurrentHashMap<>();
    private final HikariDataSource pool;
    private final Scheduler scheduler;
    private final PostgresCost cost;

    SchedulerShop(Schema schema) throws SQLException {
      pool = Pools.of(schema, THREADS + SUBMITTING);
      scheduler =
          Scheduler.create(pool, tasks())
              .threads(THREADS)
              .pollUsingLockAndFetch(FETCH_BELOW, FETCH_UP_TO)
              .pollingInterval(POLL_EVERY)
              .enableImmediateExecution()
              .serializer(new JsonSerializer())
              .build();
      scheduler.start();
      cost = new PostgresCost(schema);
    }

    private List<Task<?>> tasks() {
      return List.of(
          Tasks.custom(PAYMENT)
              .execute((task, _) -> new OnCompleteReplace<>(INVENTORY, task.getData().paid())),
          Tasks.custom(INVENTORY)
              .execute((task, _) -> new OnCompleteReplace<>(CONFIRM, task.getData().committed())),
          Tasks.custom(CONFIRM)
              .execute(
                  (task, _) ->
                      (_, row) -> {
                        row.remove();
                        end(task.getId());
                      }));
    }

    private void end(String id) {
      var ended = underWay.remove(id);
      if (ended != null) ended.run();
    }

    @Override
    public void begin(String id, Runnable ended) {
      underWay.put(id, ended);
      Thread.startVirtualThread(
          () ->
              scheduler.scheduleIfNotExists(
                  PAYMENT.instance(id).data(Order.of(id)).scheduledTo(Instant.now())));
    }

    @Override
    public void close() {
      scheduler.stop();
      pool.close();
    }

    @Override
    public Cost cost() throws SQLException {
      return cost.since();
    }
  }

  /// As JSON, like everybody's data; its default, Java's serialization, is slower.
  private static final class JsonSerializer implements Serializer {

    private final JsonMapper mapper = JsonMapper.shared();

    @Override
    public byte[] serialize(Object data) {
      return mapper.writeValueAsString(data).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] data) {
      return mapper.readValue(data, type);
    }
  }
}
