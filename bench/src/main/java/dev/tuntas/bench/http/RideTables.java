package dev.tuntas.bench.http;

import dev.tuntas.bench.BenchException;
import dev.tuntas.simulator.SimulatedDispatch;
import dev.tuntas.store.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// How far rides have come, counted in the tables of the server and of its simulated partner.
final class RideTables {

  private static final String BOOKED = "select count(*) from booking where order_id is not null";
  private static final String WITHOUT_JOB =
      """
      select count(*) from tuntas_saga s join orders_order o on o.id = s.id
       where o.ended_at is null and s.data not like '%"job":{%'
      """;
  private static final String OPEN = "select count(*) from orders_order where ended_at is null";
  private static final String SOME = "select id from orders_order limit 1000";

  private final Path data;

  RideTables(Path data) {
    this.data = data;
  }

  long booked() {
    return count(Snapshot.of(data, SimulatedDispatch.TABLES), BOOKED);
  }

  long open() {
    return count(orders(), OPEN);
  }

  long withoutJob() {
    return count(orders(), WITHOUT_JOB);
  }

  List<String> some() {
    try (var now = orders().orElseThrow(RideTables::none)) {
      return now.read("read some ids", s -> s.list(SOME, row -> row.getString(1)));
    }
  }

  private Optional<Snapshot> orders() {
    return Snapshot.ofSagas(data.resolve("orders"));
  }

  private static long count(Optional<Snapshot> tables, String query) {
    try (var now = tables.orElseThrow(RideTables::none)) {
      return now.read("count rides", s -> s.first(query, row -> row.getLong(1)).orElse(0L));
    }
  }

  private static BenchException none() {
    return new BenchException("the server has no tables");
  }
}
