package dev.tuntas.server.services;

import dev.tuntas.audit.Audit;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.settings.Here;
import dev.tuntas.simulator.Change;
import dev.tuntas.simulator.DispatchManners;
import dev.tuntas.simulator.Effects;
import dev.tuntas.simulator.SimulatedDispatch;
import dev.tuntas.store.Tables;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// How the simulated dispatch partner behaves, what it has done, and how often it was called.
@RestController
@RequestMapping("/sim/bbd")
@Conditional(Here.DispatchSimulator.class)
class DispatchSimulatorController {

  private final SimulatedDispatch dispatch;
  private final Effects ledger;
  private final Audit audit;

  DispatchSimulatorController(
      SimulatedDispatch dispatch, @Qualifier("dispatchTables") Tables tables, Audit audit) {
    this.dispatch = dispatch;
    this.ledger = new Effects(tables);
    this.audit = audit;
  }

  @GetMapping
  Map<String, Object> manners() {
    return dispatch.manners().told();
  }

  /// Changes the fields that are named; `{"reset":true}` restores all.
  @PutMapping
  Map<String, Object> change(JsonBody body, Caller caller) {
    var changes = SimulatorController.changes(body);
    var before = dispatch.manners();
    switch (before.with(changes)) {
      case Change.Refused<DispatchManners> refused ->
          throw SimulatorController.problem(refused).asException();
      case Change.Changed<DispatchManners>(var after) ->
          audit.append(
              caller
                  .did("simulator.changed", "bbd")
                  .changing(before.told().toString(), after.told().toString()));
    }
    dispatch.change(changes);
    return dispatch.manners().told();
  }

  @GetMapping("/traffic")
  SimulatedDispatch.Traffic traffic() {
    return dispatch.traffic();
  }

  @GetMapping("/ledger")
  void ledger(HttpServletResponse response) throws IOException {
    SimulatorController.write(ledger, response);
  }
}
