package dev.tuntas.server.observe;

import static dev.tuntas.server.observe.SpanReceiver.attribute;
import static dev.tuntas.server.observe.SpanReceiver.traceId;
import static dev.tuntas.server.orders.Orders.checkout;
import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import dev.tuntas.store.Stores;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One trace for each order, exported to a collector of this test.
class TracesTest {

  private static final String PARENT = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String OTHER = "0af7651916cd43dd8448eb211c80319c";

  @TempDir static Path data;

  private static SpanReceiver receiver;
  private static TestServer server;
  private static Orders orders;

  @BeforeAll
  static void start() throws IOException {
    receiver = new SpanReceiver();
    begin();
  }

  private static void begin() {
    server =
        TestServer.start(
            data,
            "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY,
            "--tuntas.roles=web,worker,inventory,payment,simulator",
            "--tuntas.partners.cart.url=" + receiver.url(),
            "--management.opentelemetry.tracing.export.schedule-delay=100ms",
            "--management.opentelemetry.tracing.export.otlp.endpoint="
                + receiver.url()
                + "/v1/traces");
    orders = new Orders(new Client(server, TestServer.CLIENT_KEY));
  }

  @AfterAll
  static void stop() {
    server.stop();
    receiver.close();
  }

  private static String place(String method) {
    var traceparent = "00-" + PARENT + "-00f067aa0ba902b7-01";
    var answer = orders.place(checkout(method, "SKU-3", 1), newKey(), "traceparent", traceparent);
    assertThat(answer.status()).isEqualTo(202);
    return id(answer);
  }

  @Test
  void the_request_and_every_call_of_an_order_are_one_trace() throws Exception {
    var order = place("pm_ok");
    until(() -> receiver.ofOrder(order).size() == 3);
    until(() -> !receiver.named("http post /api/v1/orders").isEmpty());

    assertThat(receiver.ofOrder(order))
        .extracting(Span::getName)
        .containsExactlyInAnyOrder(
            "checkout charge", "checkout commit-stock", "checkout clear-cart");
    assertThat(receiver.ofOrder(order))
        .allSatisfy(span -> assertThat(traceId(span)).isEqualTo(PARENT));
    assertThat(receiver.named("http post /api/v1/orders"))
        .allSatisfy(span -> assertThat(traceId(span)).isEqualTo(PARENT));
  }

  @Test
  void a_call_tells_what_it_was_and_how_it_ended() throws Exception {
    var order = place("pm_declined");
    until(() -> !receiver.ofOrder(order).isEmpty());
    var charge = receiver.ofOrder(order).getFirst();

    assertThat(charge.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
    assertThat(attribute(charge, "saga.key")).contains("charge-" + order);
    assertThat(attribute(charge, "saga.attempt")).contains("1");
    assertThat(attribute(charge, "saga.outcome")).contains("failed");
    assertThat(attribute(charge, "saga.failure")).contains("payment_declined");
  }

  @Test
  void calls_to_other_services_carry_the_trace() throws Exception {
    place("pm_ok");
    until(() -> !receiver.traceParents().isEmpty());

    assertThat(receiver.traceParents()).allSatisfy(it -> assertThat(it).startsWith("00-" + PARENT));
  }

  @Test
  void an_order_goes_on_with_its_trace_after_a_restart() throws Exception {
    var order = place("pm_never");
    until(() -> !receiver.ofOrder(order).isEmpty());
    server.stop();
    int before = receiver.ofOrder(order).size();
    begin();
    until(() -> receiver.ofOrder(order).size() > before);

    assertThat(receiver.ofOrder(order))
        .allSatisfy(span -> assertThat(traceId(span)).isEqualTo(PARENT));
  }

  @Test
  void the_trace_lies_with_the_order() {
    var order = place("pm_ok");
    var row = server.bean(Stores.class).sagas().find(order);

    assertThat(row.map(SagaRow::data).orElse("")).contains("00-" + PARENT);
  }

  @Test
  void the_address_of_a_customers_page_stays_out_of_traces() throws Exception {
    var order = place("pm_ok");
    var link = orders.show(order).json().at("/links/page").asString();
    var page = link.replaceFirst("^http://[^/]*", "");
    var traceparent = "00-" + OTHER + "-00f067aa0ba902b7-01";
    assertThat(new Client(server, "").get(page, "traceparent", traceparent).status())
        .isEqualTo(200);
    until(() -> !receiver.ofTrace(OTHER).isEmpty());

    assertThat(page).contains(order);
    assertThat(receiver.text()).doesNotContain(page);
  }
}
