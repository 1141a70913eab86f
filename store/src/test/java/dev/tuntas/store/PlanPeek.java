package dev.tuntas.store;

import dev.tuntas.engine.*;
import dev.tuntas.engine.SagaStore.Shape;
import dev.tuntas.saga.Notice;
import java.time.Instant;
import java.util.*;

final class PlanPeek {
  static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  public static void main(String[] args) throws Exception {
    var url = TestPostgres.newDatabase();
    var stores = Stores.postgres(TestPostgres.settings(url));
    int node = stores.sagas().join("x");
    int kind =
        stores.sagas().register(List.of(new Shape("bench", 1, "x"))).values().iterator().next();
    var data = "x".repeat(180);
    var ids = new ArrayList<String>();
    for (int b = 0; b < 200; b++) {
      var w = new ArrayList<Write>();
      for (int i = 0; i < 250; i++) {
        var id = UUID.randomUUID().toString();
        ids.add(id);
        w.add(
            new Write.Insert(
                id, kind, Status.RUNNING, 0, null, START, "p", data, "accepted", List.of(), START));
      }
      stores.sagas().commit(node, w);
    }
    if (args.length > 0) {
      try (var c = TestPostgres.connect(url);
          var s = c.createStatement()) {
        s.execute("vacuum analyze");
      }
    }
    var database = PostgresDatabase.open(TestPostgres.settings(url));
    var f = PostgresBatches.class.getDeclaredField("COMMIT");
    f.setAccessible(true);
    var sql = (String) f.get(null);
    for (int rep = 0; rep < 6; rep++) {
      var w = new ArrayList<Write>();
      for (int i = 0; i < 250; i++) {
        if (i % 4 == 0)
          w.add(
              new Write.Insert(
                  UUID.randomUUID().toString(),
                  kind,
                  Status.RUNNING,
                  0,
                  null,
                  START,
                  "p",
                  data,
                  "accepted",
                  List.of(),
                  START));
        else {
          var id = ids.removeLast();
          w.add(
              new Write.Move(
                  id,
                  1,
                  i % 4 == 1 ? Status.DONE : Status.RUNNING,
                  0,
                  null,
                  "pp",
                  data,
                  "pay succeeded",
                  i % 4 == 1 ? List.of(new Notice("t", data)) : List.of(),
                  List.of(),
                  START));
        }
      }
      int r = rep;
      database.write(
          "x",
          s -> {
            var st = s.prepare("explain (analyze, buffers off, timing on) " + sql);
            var m =
                PostgresBatches.class.getDeclaredMethod(
                    "bind", ColumnBinder.class, int.class, List.class);
            m.setAccessible(true);
            m.invoke(null, new ColumnBinder(st), node, w);
            try (var rows = st.executeQuery()) {
              while (rows.next()) {
                var line = rows.getString(1);
                if (r >= 5 || line.contains("Planning Time") || line.contains("Execution"))
                  System.out.println(line);
              }
            }
            return null;
          });
    }
    System.exit(0);
  }
}
