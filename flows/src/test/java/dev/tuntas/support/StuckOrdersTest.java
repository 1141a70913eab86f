package dev.tuntas.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.StoreException;
import dev.tuntas.notify.Channel;
import dev.tuntas.notify.Message;
import dev.tuntas.notify.Message.Alert;
import dev.tuntas.orders.OrderBook;
import dev.tuntas.saga.Failure;
import dev.tuntas.store.Stores;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Orders that cannot say themselves what is wrong with them.
class StuckOrdersTest {

  private static final String ORDER = "ord_01m7htgb9b4n7bbrpc2prt3rmb";

  @TempDir Path folder;

  private final List<Message> told = new ArrayList<>();
  private boolean away;
  private Stores stores;
  private Office office;
  private StuckOrders stuck;

  private final class Chat implements Channel {
    @Override
    public String name() {
      return "slack";
    }

    @Override
    public Audience audience() {
      return Audience.SUPPORT;
    }

    @Override
    public Receipt send(Parcel parcel) {
      told.addAll(parcel.messages());
      return new Receipt.Sent();
    }
  }

  /// Tables that can be away.
  private record Flaky(Tables tables, StuckOrdersTest test) implements Tables {
    @Override
    public <T> T read(String attempted, Work<T> work) {
      return tables.read(attempted, work);
    }

    @Override
    public <T> T write(String attempted, Work<T> work) {
      if (test.away) throw new StoreException(StoreException.Kind.NOT_DONE, attempted, null);
      return tables.write(attempted, work);
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void open() {
    stores = Stores.sqlite(folder, InstantSource.system());
    var orders = stores.tables(OrderBook.TABLES);
    var tables = stores.tables(TableSet.of("support"));
    office = new Office(tables);
    stuck =
        new StuckOrders(
            new Flaky(tables, this),
            new OrderBook(orders),
            office.desk,
            List.of(new Chat()),
            office::now);
    orders.write(
        "add an order",
        session ->
            session.update(
                """
                insert into orders_order
                  (id, kind, client, customer_id, amount, currency, created_at, version)
                values (?, 'ride', 'app', 'cus-1', 150000, 'IDR', 0, 1)
                """,
                ORDER));
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private void stuck(String code, long version) {
    stuck.stuck(null, ORDER, version, new Failure.Broken(code, "secret detail"));
  }

  @ParameterizedTest
  @CsvSource({
    "UNREADABLE, FAILED_TO_GET_ORDER",
    "UNSTORABLE, STATUS_UPDATE_FAILED",
    "BUG, UNEXPECTED_STATE"
  })
  void an_order_that_is_stuck_becomes_a_ticket(String code, TicketType type) {
    stuck(code, 3);
    stuck(code, 3);
    stuck.report();
    stuck.report();
    var ticket = office.onlyTicket();
    assertThat(ticket.type()).isEqualTo(type);
    assertThat(ticket.orderId()).isEqualTo(ORDER);
    assertThat(ticket.orderKind()).isEqualTo("ride");
    assertThat(ticket.amount()).isEqualTo(Office.PRICE);
    assertThat(ticket.reason()).doesNotContain("secret");
    assertThat(office.post()).containsExactly("slack " + ticket.id(), "mail " + ticket.id());
    assertThat(told).isEmpty();
  }

  @Test
  void while_no_ticket_can_be_written_people_are_told_straight_and_once() {
    away = true;
    stuck("UNSTORABLE", 3);
    stuck.report();
    stuck.report();
    assertThat(told).hasSize(1);
    var alert = (Alert) told.getFirst();
    assertThat(alert.title()).isEqualTo("Status Update Failed");
    assertThat(alert.orderId()).isEqualTo(ORDER);
    assertThat(office.tickets()).isEmpty();

    away = false;
    stuck.report();
    assertThat(office.onlyTicket().type()).isEqualTo(TicketType.STATUS_UPDATE_FAILED);
    assertThat(told).hasSize(1);
  }

  @Test
  void nothing_is_decided_about_an_order_that_could_not_hear_it() {
    office.waiting.add(ORDER);
    stuck("UNREADABLE", 3);
    stuck.report();
    var deed = office.by("ada", office.onlyTicket());
    assertThat(Office.refused(office.work.resolve(deed, Resolution.HAPPENED, null)))
        .startsWith("CONFLICT");
    Office.done(office.work.resolve(deed, Resolution.NO_ACTION, "restored from the backup"));
    assertThat(office.onlyTicket().isResolved()).isTrue();
  }

  @Test
  void news_that_nobody_can_take_becomes_a_ticket() {
    var notice = new Outbox.Entry(1, ORDER, 4, 0, "order.cancelled", "{}", Instant.EPOCH, 9);
    stuck.published(notice, new IllegalStateException(), false);
    stuck.report();
    assertThat(office.tickets()).isEmpty();
    stuck.published(notice, new IllegalStateException(), true);
    stuck.report();
    assertThat(office.onlyTicket().type()).isEqualTo(TicketType.STATUS_UPDATE_FAILED);
    assertThat(office.onlyTicket().reason()).contains("order.cancelled");
  }

  @Test
  void what_is_no_order_is_not_for_the_desk() {
    away = true;
    stuck.stuck(null, "rf_1", 2, new Failure.Broken("UNREADABLE", ""));
    stuck.report();
    assertThat(told).isEmpty();
  }
}
