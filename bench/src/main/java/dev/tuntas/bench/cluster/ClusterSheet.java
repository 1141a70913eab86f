package dev.tuntas.bench.cluster;

import dev.tuntas.bench.TextTable;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneOffset;

/// What a person needs to know of a cluster that runs: where everything is, and how to place an
/// order of each kind.
final class ClusterSheet {

  private static final String CHECKOUT =
      """
      {"kind":"checkout","customer_id":"cus-1","payment_method":"pm_ok",\
      "lines":[{"sku":"SKU-1","quantity":1}]}\
      """;

  private static final String RIDE =
      """
      {"kind":"ride","customer_id":"cus-1","service_type":"RIDE","channel":"MYBB",\
      "pickup_location":{"latitude":-6.2088,"longitude":106.8456},\
      "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},\
      "payment":{"status":"PAID","amount":50000,"currency":"IDR"}}\
      """;

  private final Cluster cluster;

  ClusterSheet(Cluster cluster) {
    this.cluster = cluster;
  }

  void print(PrintWriter out) {
    table().print(out);
    var keys = cluster.settings().folder().resolve("credentials.properties");
    out.println();
    out.println("The keys, for a client, an admin and between services, are in " + keys);
    out.println("KEY=" + cluster.keys().client() + "   # the client's");
    out.println();
    out.println("Place an order of each kind:");
    var web = cluster.members(Kind.WEB);
    order(out, web.getFirst(), "checkout", CHECKOUT);
    order(out, web.getLast(), "booking", booking());
    order(out, web.getFirst(), "ride", RIDE);
    out.println();
    out.println(
        "Watch it: curl -s "
            + web.getLast().address()
            + "/api/v1/orders/$ID"
            + " -H \"Authorization: Bearer $KEY\"");
    out.println("Ctrl-C stops everything.");
    out.flush();
  }

  private TextTable table() {
    var table = new TextTable("process", "role", "address", "pid", "log");
    cluster.postgres().ifPresent(it -> server(table, "postgres", it.url(), it.pid()));
    cluster.redis().ifPresent(it -> server(table, "redis", it.url(), it.pid()));
    cluster.kafka().ifPresent(it -> server(table, "kafka", it.servers(), it.pid()));
    cluster.rabbit().ifPresent(it -> server(table, "rabbitmq", it.url(), it.pid()));
    for (var member : cluster.members()) {
      table.row(
          member.name(),
          member.kind().roles(),
          member.address().toString(),
          Long.toString(member.pid().orElse(0)),
          member.log().toString());
    }
    return table;
  }

  private void server(TextTable table, String name, String address, long pid) {
    var log = cluster.settings().log(name).toString();
    table.row(name, "server", address, Long.toString(pid), log);
  }

  private static String booking() {
    var from = LocalDate.now(ZoneOffset.UTC).plusDays(7);
    return """
    {"kind":"booking","customer_id":"cus-1","payment_method":"pm_ok","room_id":"ROOM-STD",\
    "rooms":1,"check_in":"%s","check_out":"%s"}\
    """
        .formatted(from, from.plusDays(2));
  }

  /// One line, so that it can be pasted anywhere.
  private static void order(PrintWriter out, Member web, String kind, String body) {
    out.println();
    out.println(
        """
        curl -i %s/api/v1/orders -H "Authorization: Bearer $KEY" \
        -H "Idempotency-Key: %s-$(date +%%s)-$$" -H "Content-Type: application/json" -d '%s'\
        """
            .formatted(web.address(), kind, body));
  }
}
