package dev.tuntas.server.services;

import dev.tuntas.audit.Audit;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import dev.tuntas.simulator.Behaviour;
import dev.tuntas.simulator.Change;
import dev.tuntas.simulator.Effects;
import dev.tuntas.simulator.Weather;
import dev.tuntas.store.Tables;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/// How the simulated partners behave, and what they have done.
@RestController
@RequestMapping("/sim/{partner}")
@Conditional(Here.Simulator.class)
class SimulatorController {

  private final Map<String, Weather> weathers;
  private final Map<String, Effects> ledgers;
  private final Audit audit;

  SimulatorController(
      @Qualifier("bankWeather") Weather bank,
      @Qualifier("warehouseWeather") Weather warehouse,
      @Qualifier("cartWeather") Weather cart,
      @Qualifier("bankTables") Tables bankTables,
      @Qualifier("warehouseTables") Tables warehouseTables,
      Audit audit) {
    this.weathers = Map.of("bank", bank, "warehouse", warehouse, "cart", cart);
    this.ledgers =
        Map.of("bank", new Effects(bankTables), "warehouse", new Effects(warehouseTables));
    this.audit = audit;
  }

  @GetMapping
  Behaviour behaviour(@PathVariable String partner) {
    return of(weathers, partner).behaviour();
  }

  /// Changes the fields that are named; `{"reset":true}` restores all.
  @PutMapping
  Behaviour change(@PathVariable String partner, JsonBody body, Caller caller) {
    var weather = of(weathers, partner);
    var changes = changes(body);
    var before = weather.behaviour();
    switch (before.with(changes)) {
      case Change.Refused<Behaviour> refused -> throw problem(refused).asException();
      case Change.Changed<Behaviour>(var after) ->
          audit.append(
              caller
                  .did("simulator.changed", partner)
                  .changing(before.toString(), after.toString()));
    }
    weather.change(changes);
    return weather.behaviour();
  }

  static Map<String, Object> changes(JsonBody body) {
    var changes = new LinkedHashMap<String, Object>();
    body.json().forEachEntry((name, value) -> changes.put(name, plain(value)));
    return changes;
  }

  /// What is no flag, no number and no list of these stays as it is, and is refused.
  private static Object plain(JsonNode value) {
    if (value.isBoolean()) return value.booleanValue();
    if (value.isArray()) return value.valueStream().map(SimulatorController::plain).toList();
    return value.isNumber() ? value.numberValue() : value;
  }

  static Problem problem(Change.Refused<?> refused) {
    int status = refused.code().equals("unknown_field") ? 400 : 422;
    var pointer = "/" + refused.field().replace("~", "~0").replace("/", "~1");
    return Problem.at(status, pointer, refused.code(), refused.sentence());
  }

  /// All of it, as it is read: a ledger can be longer than memory.
  @GetMapping("/ledger")
  void ledger(@PathVariable String partner, HttpServletResponse response) throws IOException {
    write(of(ledgers, partner), response);
  }

  static void write(Effects effects, HttpServletResponse response) throws IOException {
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setHeader("Cache-Control", "no-store");
    try (var out = new LedgerWriter(response.getOutputStream())) {
      effects.each(out::write);
    }
  }

  private static <T> T of(Map<String, T> partners, String name) {
    var found = partners.get(name);
    if (found == null) throw Problem.notFound().asException();
    return found;
  }
}
