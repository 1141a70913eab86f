package dev.tuntas.server.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.audit.Audit;
import dev.tuntas.inventory.Goods;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.inventory.StockSettings;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.access.Role;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.http.ProblemException;
import dev.tuntas.simulator.Behaviour;
import dev.tuntas.simulator.OpeningStock;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.simulator.SimulatedWarehouse;
import dev.tuntas.simulator.Weather;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The simulated partners, as an operator sees and changes them.
class SimulatorControllerTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2027-01-01T00:00:00Z"));
  private static final Caller ADMIN =
      new Caller("ops", "key-1", Set.of(Role.ADMIN), true, "127.0.0.1", "trace");

  private final List<Tables> opened = new ArrayList<>();
  private final Tables bankTables = open(SimulatedBank.TABLES);
  private final Tables warehouseTables = open(SimulatedWarehouse.TABLES);
  private final Audit audit = new Audit(open(TableSet.of("access")), CLOCK);
  private final Weather bankWeather = new Weather(new Random(1), _ -> {});
  private final Weather warehouseWeather = new Weather(new Random(2), _ -> {});
  private final SimulatorController controller =
      new SimulatorController(
          bankWeather,
          warehouseWeather,
          new Weather(new Random(3), _ -> {}),
          bankTables,
          warehouseTables,
          audit);

  private Tables open(TableSet set) {
    var tables = Tables.inMemory(set);
    opened.add(tables);
    return tables;
  }

  @AfterEach
  void close() {
    opened.forEach(Tables::close);
  }

  private Behaviour put(String partner, String json) {
    return controller.change(
        partner, new JsonBody((ObjectNode) JSON.readTree(json), new byte[0]), ADMIN);
  }

  private Problem refused(String partner, String json) {
    return catchThrowableOfType(ProblemException.class, () -> put(partner, json)).problem();
  }

  private String ledger(String partner) throws IOException {
    var response = new MockHttpServletResponse();
    controller.ledger(partner, response);
    assertThat(response.getContentType()).isEqualTo("application/json");
    return response.getContentAsString();
  }

  @Test
  void behaviour_is_merged_and_reset_and_only_of_the_partner_that_is_named() {
    assertThat(put("bank", "{\"error_rate\":0.1}")).isEqualTo(new Behaviour(false, 0.1, 0, 0));
    assertThat(put("bank", "{\"down\":true,\"latency_ms\":200.0}"))
        .isEqualTo(new Behaviour(true, 0.1, 200, 0));
    assertThat(controller.behaviour("bank")).isEqualTo(bankWeather.behaviour());
    assertThat(controller.behaviour("warehouse")).isEqualTo(Behaviour.CALM);
    assertThat(controller.behaviour("cart")).isEqualTo(Behaviour.CALM);

    assertThat(put("bank", "{\"reset\":true}")).isEqualTo(Behaviour.CALM);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"error_rate\":1.5}      | 422 | out_of_range  | /error_rate",
        "{\"error_rate\":\"0.5\"}  | 422 | field_type    | /error_rate",
        "{\"error_rate\":null}     | 422 | field_type    | /error_rate",
        "{\"latency_ms\":60001}    | 422 | out_of_range  | /latency_ms",
        "{\"latency_ms\":[1]}      | 422 | field_type    | /latency_ms",
        "{\"latency_ms\":1e400}    | 422 | out_of_range  | /latency_ms",
        "{\"down\":\"yes\"}        | 422 | field_type    | /down",
        "{\"reset\":1}             | 422 | field_type    | /reset",
        "{\"a/b~\":1}              | 400 | unknown_field | /a~1b~0",
      })
  void what_makes_no_sense_is_refused_and_changes_nothing(
      String json, int status, String code, String pointer) {
    var problem = refused("bank", json);

    assertThat(problem.status()).isEqualTo(status);
    assertThat(problem.code()).isEqualTo(code);
    assertThat(problem.errors()).extracting(Problem.FieldError::pointer).containsExactly(pointer);
    assertThat(bankWeather.behaviour()).isEqualTo(Behaviour.CALM);
    assertThat(audit.newest(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void partners_that_are_not_simulated_are_not_there() {
    assertThat(refused("nobody", "{}").status()).isEqualTo(404);
    assertThat(
            catchThrowableOfType(ProblemException.class, () -> ledger("cart")).problem().status())
        .isEqualTo(404);
  }

  @Test
  void a_change_is_in_the_audit_log() {
    put("warehouse", "{\"down\":true}");

    var entry = audit.newest(Optional.empty(), 10).getFirst().entry();
    assertThat(entry.actor()).isEqualTo("ops");
    assertThat(entry.action()).isEqualTo("simulator.changed");
    assertThat(entry.subject()).isEqualTo("warehouse");
    assertThat(entry.after()).contains("down=true");
  }

  @Test
  void the_ledger_of_the_bank_has_the_fields_of_the_contract() throws IOException {
    assertThat(ledger("bank")).isEqualTo("{\"entries\":[]}");
    new SimulatedBank(bankTables, bankWeather, CLOCK)
        .charge(new Charge("o-1", "pm_ok", new Money(150_000, "IDR")), "charge-o-1");

    assertThat(ledger("bank"))
        .isEqualTo(
            "{\"entries\":[{\"at\":\"2027-01-01T00:00:00Z\",\"operation\":\"charge\","
                + "\"key\":\"charge-o-1\",\"order_id\":\"o-1\",\"amount\":150000,"
                + "\"currency\":\"IDR\",\"result\":\"charged\"}]}");
  }

  @Test
  void the_ledger_of_the_warehouse_names_the_goods() throws IOException {
    var inventory = open(StockRoom.TABLES);
    OpeningStock.fill(new StockList(inventory, CLOCK, StockSettings.defaults()));
    var room = new StockRoom(inventory, CLOCK, StockSettings.defaults());
    var warehouse = new SimulatedWarehouse(room, warehouseTables, warehouseWeather, CLOCK);
    var tea = new Goods.Lines(List.of(new Goods.Line("SKU-1", 2)));
    warehouse.commit(new Request("o-1", tea, new Money(50_000, "IDR")), "commit-o-1");
    warehouse.release("o-1", "release-o-1");

    var entries = JSON.readTree(ledger("warehouse")).path("entries");
    assertThat(entries.size()).isEqualTo(2);
    assertThat(entries.get(0).path("units").toString())
        .isEqualTo("[{\"thing\":\"SKU-1\",\"quantity\":2}]");
    assertThat(entries.get(1).path("operation").asString()).isEqualTo("release");
    assertThat(entries.get(1).path("amount").isNull()).isTrue();
  }
}
