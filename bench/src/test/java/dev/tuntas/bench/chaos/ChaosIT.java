package dev.tuntas.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tuntas.bench.verify.VerifyCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// A short run of chaos. What it leaves behind is then damaged in every way that a verification
/// must find.
@Execution(ExecutionMode.CONCURRENT)
class ChaosIT {

  private static final String ONE_CONFIRMED =
      "(select max(order_id) from ledger where operation = 'charge' and key not like 'outside-%'"
          + " and order_id not in (select order_id from ledger where operation = 'refund'))";
  private static final String ONE_RELEASED =
      "(select max(order_id) from ledger where operation = 'release')";
  private static final String ONE_ENDED =
      "(select max(id) from orders_order where status = 'CONFIRMED')";

  @TempDir private static Path folder;
  private static Ran chaos;

  /// What a command printed and how it ended.
  private record Ran(int exit, String out, String err) {

    String last() {
      return out.lines().reduce((_, line) -> line).orElse("");
    }
  }

  private static Ran run(Object command, String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exit =
        new CommandLine(command)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Ran(exit, out.toString(), err.toString());
  }

  @BeforeAll
  static void kill_the_server_again_and_again() {
    var data = folder.resolve("chaos").toString();
    chaos = run(new ChaosCommand(), "--minutes", "0.3", "--seed", "7", "--data", data);
  }

  @Test
  void nothing_is_lost_doubled_or_stuck() {
    assertThat(chaos.err).isEmpty();
    assertThat(chaos.last())
        .startsWith("{\"orders\":")
        .contains("\"lost\":0,\"double_charges\":0,\"double_refunds\":0,\"oversold\":0,\"stuck\":0")
        .contains("\"slots_leaked\":0,\"events_undelivered\":0,\"violations\":0");
    assertThat(chaos.exit).as(chaos.out).isZero();
  }

  @Test
  void what_it_leaves_behind_is_in_order() {
    var verified = verify(folder.resolve("chaos/data"));

    assertThat(verified.out.lines().filter(line -> !line.startsWith("{")))
        .hasSize(20)
        .allMatch(line -> line.startsWith("ok "));
    assertThat(verified.last()).startsWith("{\"invariants\":20,\"violations\":0,");
    assertThat(verified.exit).isZero();
  }

  @Test
  void a_folder_that_is_not_ours_is_refused_with_a_sentence() throws IOException {
    var other = Files.createDirectory(folder.resolve("other"));
    var verified = verify(other);

    assertThat(verified.exit).isEqualTo(1);
    assertThat(verified.err).contains("is not a data folder of Tuntas");
    assertThat(other).isEmptyDirectory();
  }

  private static Ran verify(Path data) {
    return run(new VerifyCommand(), "--data", data.toString());
  }

  private static Arguments damage(
      String invariant, String sentence, String database, String... statements) {
    return arguments(invariant, sentence, database, List.of(statements));
  }

  static Stream<Arguments> damages() {
    return Stream.of(
        damage(
            "M1",
            "is CONFIRMED and the bank keeps 0 of it",
            "bank",
            "delete from ledger where order_id = " + ONE_CONFIRMED),
        damage(
            "M2",
            "was charged more than once",
            "bank",
            "insert into ledger (at, operation, key, order_id, amount, currency, result) select at,"
                + " operation, 'again', order_id, amount, currency, result from ledger where"
                + " order_id = "
                + ONE_CONFIRMED),
        damage(
            "M3",
            "was refunded more than it was charged",
            "bank",
            "insert into ledger (at, operation, key, order_id, amount, currency, result) select at,"
                + " 'refund', 'too much', order_id, amount + 1, currency, result from ledger where"
                + " order_id = "
                + ONE_CONFIRMED),
        damage(
            "M4",
            "has an effect twice under the key of charge",
            "bank",
            "create table copy as select * from ledger",
            "drop table ledger",
            "alter table copy rename to ledger",
            "insert into ledger select no + 1000000, at, operation, key, order_id, amount,"
                + " currency, result, goods from ledger where order_id = "
                + ONE_CONFIRMED),
        damage(
            "M7",
            "and not its price",
            "bank",
            "update ledger set amount = amount + 1 where order_id = " + ONE_CONFIRMED),
        damage(
            "M8",
            "has debits and credits that differ",
            "payment",
            "delete from journal where no = (select max(no) from journal)"),
        damage(
            "S1",
            "has more held and sold than there is",
            "inventory",
            "update shelf set committed = committed + 5 where id = 'SKU-RARE'"),
        damage(
            "S2",
            "is CONFIRMED and has no goods",
            "inventory",
            "delete from taken where booking_id = (select max(booking_id) from taken)"),
        damage(
            "S3",
            "is CONFIRMED and still holds 1 of SKU-1",
            "inventory",
            "insert into reservation_holds (booking_id, id, night, quantity, created_at) select"
                + " max(booking_id), 'SKU-1', '', 1, 0 from taken"),
        damage(
            "S4",
            "was given something after it had been released",
            "warehouse",
            "insert into ledger (at, operation, key, order_id, amount, result, goods) select at,"
                + " 'commit', 'late', order_id, 0, 'committed', '{\"units\":[]}' from ledger where"
                + " operation = 'release' and order_id = "
                + ONE_RELEASED),
        damage(
            "S5",
            "was given back more than once",
            "warehouse",
            "update ledger set result = 'released' where operation = 'release'",
            "insert into ledger (at, operation, key, order_id, amount, result) select at,"
                + " 'release', 'again', order_id, 0, 'released' from ledger where operation ="
                + " 'release' and order_id = "
                + ONE_RELEASED),
        damage(
            "A2",
            "has a saga and is not in the list of orders",
            "orders",
            "delete from orders_order where id = " + ONE_ENDED),
        damage(
            "A2",
            "is an open order without a saga",
            "orders",
            "delete from tuntas_saga where id = " + ONE_ENDED,
            "update orders_order set status = null, ended_at = null where id = " + ONE_ENDED),
        damage(
            "A2",
            "is a key with more than one order",
            "orders",
            "create table copy as select * from orders_key",
            "drop table orders_key",
            "alter table copy rename to orders_key",
            "update orders_key set client = 'shop', idempotency_key = 'same'"),
        damage(
            "D1",
            "was booked more than once",
            "dispatch",
            "insert into booking (booking_id, order_id, state, attempt, since, version) select"
                + " 'again', max(order_id), 'CANCELLED', 0, 0, 0 from booking"),
        damage(
            "D1",
            "is-no-ride was booked and is no ride",
            "dispatch",
            "update ledger set order_id = 'is-no-ride', at = at - 60000 where operation = 'book'"
                + " and order_id = (select max(order_id) from booking)",
            "update booking set order_id = 'is-no-ride' where order_id = (select max(order_id) from"
                + " booking)"),
        damage(
            "D2",
            "has arrived and is BOOKED at the partner",
            "dispatch",
            "update booking set state = 'BOOKED' where state = 'COMPLETED'"),
        damage(
            "D2",
            "rides have arrived and the partner has no booking",
            "dispatch",
            "delete from booking where state = 'COMPLETED'"),
        damage(
            "D3",
            "is over and PICKED_UP at the partner",
            "dispatch",
            "update booking set state = 'PICKED_UP' where state = 'CANCELLED' and order_id is not"
                + " null"),
        damage(
            "D4",
            "JKT-PUSAT RIDE does not count those who wait there",
            "orders",
            "update areas_load set waiting = waiting + 3 where area = 'JKT-PUSAT' and service ="
                + " 'RIDE'"),
        damage(
            "D4",
            "is over and still holds a slot",
            "orders",
            "insert into areas_slot (order_id, area, service, taken_at, expires_at, bypassed)"
                + " select max(id), 'JKT-PUSAT', 'RIDE', 1, 2, 0 from orders_order where ended_at"
                + " is not null and kind <> 'ride'"),
        damage(
            "L9",
            "needs attention and has no open ticket",
            "orders",
            "update support_ticket set status = 'resolved', resolution = 'no_action', resolved_at ="
                + " opened_at"),
        damage(
            "L9",
            "has more than one open ticket",
            "orders",
            "drop index support_ticket_one_open",
            "insert into support_ticket (id, type, status, order_id, subject, order_kind,"
                + " order_status, seen_version, reason, opened_at, due_at, version) select 'again',"
                + " type, status, order_id, subject, order_kind, order_status, seen_version,"
                + " reason, opened_at, due_at, version from support_ticket where no = (select"
                + " max(no) from support_ticket)"),
        damage(
            "O2",
            "is CONFIRMED and listed as open",
            "orders",
            "update orders_order set status = null, ended_at = null where id = " + ONE_ENDED),
        damage(
            "O5",
            "could not be published",
            "orders",
            "insert into tuntas_outbox (saga_id, version, seq, type, body, at, dead) values ('x',"
                + " 1, 1, 'order.confirmed', '{}', 0, true)"),
        damage(
            "O5",
            "has waited to be published for too long",
            "orders",
            "insert into tuntas_outbox (saga_id, version, seq, type, body, at) values ('x', 1, 1,"
                + " 'order.confirmed', '{}', 0)"),
        damage(
            "U1",
            "Entry 2: it was changed.",
            "orders",
            "drop trigger access_audit_no_update",
            "update access_audit set actor = 'somebody' where seq = 2"));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("damages")
  void damage_is_found(
      String invariant, String sentence, String database, List<String> statements, @TempDir Path at)
      throws IOException, SQLException {
    copy(folder.resolve("chaos/data"), at);
    damage(at.resolve(database).resolve("tuntas.db"), statements);

    var verified = verify(at);

    assertThat(verified.exit).as(verified.out + verified.err).isEqualTo(1);
    assertThat(verified.out).contains(sentence);
    assertThat(verified.out.lines()).anyMatch(line -> line.startsWith("FAIL " + invariant + " "));
  }

  private static void damage(Path file, List<String> statements) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute("pragma ignore_check_constraints = on");
      for (var sql : statements) {
        statement.execute(sql);
        boolean changes = !sql.startsWith("create") && !sql.startsWith("drop");
        if (changes && !sql.startsWith("alter")) {
          assertThat(statement.getUpdateCount()).as(sql).isPositive();
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : files.toList()) {
        var copy = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) Files.createDirectories(copy);
        else Files.copy(file, copy);
      }
    }
  }
}
