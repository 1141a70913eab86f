package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.testservers.TestPostgres;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresSharedCommitsIT extends SharedCommitsRules {

  private String url = "";

  @Override
  Tables open() {
    url = TestPostgres.newDatabase();
    // A circle is broken by the server after a second, and what comes then takes its time, too.
    return Tables.postgres(PatientPostgres.at(url), TablesRules.SHOP.inTurn());
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    TestPostgres.drop(url);
  }

  /// Each locks one row, waits for the other to have come as far as it can, and wants the other's.
  @Test
  void two_processes_that_take_turns_never_wait_in_a_circle() throws Exception {
    var set = TablesRules.SHOP.inTurn();
    try (var one = Tables.postgres(PatientPostgres.at(url), set);
        var other = Tables.postgres(PatientPostgres.at(url), set);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      addTwo(one);
      for (int round = 0; round < 20; round++) {
        var start = new CyclicBarrier(2);
        var results =
            threads.invokeAll(
                List.of(sell(one, start, "tea", "rice"), sell(other, start, "rice", "tea")));
        for (var result : results) assertThat(result.get()).isEqualTo(2);
      }
    }
  }

  private static Callable<Integer> sell(
      Tables tables, CyclicBarrier start, String first, String second) {
    return () -> {
      start.await();
      return tables.write(
          "sell",
          session -> {
            int sold = 0;
            for (var name : List.of(first, second)) sold += sellOne(session, name);
            return sold;
          });
    };
  }

  /// Each has locked one row before either wants that of the other.
  @Test
  void of_two_that_wait_in_a_circle_both_are_done() throws Exception {
    try (var one = Tables.postgres(PatientPostgres.at(url), TablesRules.SHOP);
        var other = Tables.postgres(PatientPostgres.at(url), TablesRules.SHOP);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      addTwo(one);
      var locked = new CountDownLatch(2);
      var tea = threads.submit(() -> one.write("sell", sell(locked, "tea", "rice")));
      var rice = threads.submit(() -> other.write("sell", sell(locked, "rice", "tea")));
      assertThat(tea.get() + rice.get()).isEqualTo(4);
      assertThat(stocks(one)).containsExactly(3, 3);
    }
  }

  /// Neither of the two that share a transaction locks more than one row, but together they do.
  @Test
  void sharing_that_made_a_circle_harms_nobody() throws Exception {
    try (var other = Tables.postgres(PatientPostgres.at(url), TablesRules.SHOP);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      addTwo(other);
      var locked = new CountDownLatch(2);
      holdUp();
      var tea = start(sell(locked, "tea"));
      untilAllWait(); // before rice comes: they run in this order
      var rice = start(session -> sellOne(session, "rice"));
      untilAllWait();
      var both = threads.submit(() -> other.write("sell", sell(locked, "rice", "tea")));
      gate.countDown();
      assertThat(tea.get() + rice.get() + both.get()).isEqualTo(4);
      assertThat(stocks(other)).containsExactly(3, 3);
    }
  }

  @Test
  void where_only_reading_is_allowed_the_proof_fails() throws Exception {
    try (var tables = Tables.postgres(PatientPostgres.at(url), TablesRules.SHOP)) {
      try (var connection = DriverManager.getConnection(url);
          var statement = connection.createStatement()) {
        statement.execute(
            """
            do $$ begin
              execute format(
                'alter database %I set default_transaction_read_only = on', current_database());
            end $$
            """);
      }
      assertThatThrownBy(tables::prove)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_DONE));
    }
  }

  /// A hundred of them would keep the writer for a minute if each waited for the lock.
  @Test
  void a_row_that_somebody_locked_does_not_keep_others_waiting() throws Exception {
    var settings =
        new PostgresSettings(
            url,
            null,
            null,
            8,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMillis(600));
    try (var tables = Tables.postgres(settings, TablesRules.SHOP.inTurn());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      addTwo(tables);
      var tea = new ArrayList<Future<Integer>>();
      var rice = new ArrayList<Future<Integer>>();
      try (var locking = DriverManager.getConnection(url);
          var statement = locking.createStatement()) {
        locking.setAutoCommit(false);
        statement.execute("select * from shop.shop_item where name = 'tea' for update");
        for (int i = 0; i < 100; i++) {
          tea.add(threads.submit(() -> tables.write("sell", session -> sellOne(session, "tea"))));
          rice.add(threads.submit(() -> tables.write("sell", session -> sellOne(session, "rice"))));
        }
        for (var sold : rice) assertThat(sold.get(30, TimeUnit.SECONDS)).isEqualTo(1);
      }
      int sold = 0;
      for (var one : tea) sold += oneIfDone(one);
      assertThat(stocks(tables)).containsExactly(1 + sold, 101);
      assertThat(tables.<Integer>write("sell", session -> sellOne(session, "tea"))).isEqualTo(1);
    }
  }

  /// On a busy machine the lock may have been there for too long.
  private static int oneIfDone(Future<Integer> future) throws Exception {
    try {
      return future.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      assertThat(e.getCause())
          .isInstanceOfSatisfying(
              StoreException.class, it -> assertThat(it.kind()).isEqualTo(Kind.BLOCKED));
      return 0;
    }
  }

  private static void addTwo(Tables tables) {
    for (var name : List.of("tea", "rice")) {
      tables.write(
          "add",
          session -> session.update("insert into shop_item (name, stock) values (?, 1)", name));
    }
  }

  private static List<Integer> stocks(Tables tables) {
    return tables.read(
        "stocks",
        session -> session.list("select stock from shop_item order by no", row -> row.getInt(1)));
  }

  /// Waits after the first until the other one, too, has its first.
  private static Tables.Work<Integer> sell(CountDownLatch locked, String... names) {
    return session -> {
      int sold = 0;
      for (var name : names) {
        sold += sellOne(session, name);
        locked.countDown();
        await(locked);
      }
      return sold;
    };
  }

  private static int sellOne(Session session, String name) throws SQLException {
    return session.update("update shop_item set stock = stock + 1 where name = ?", name);
  }
}
