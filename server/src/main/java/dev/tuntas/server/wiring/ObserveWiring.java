package dev.tuntas.server.wiring;

import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.engine.Engine;
import dev.tuntas.orders.AdmissionJournal;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.orders.RideJournal;
import dev.tuntas.orders.StatusJournal;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import dev.tuntas.server.observe.AreaGauges;
import dev.tuntas.server.observe.CompensationMeters;
import dev.tuntas.server.observe.EngineGauges;
import dev.tuntas.server.observe.EngineMeters;
import dev.tuntas.server.observe.IdempotencyHits;
import dev.tuntas.server.observe.OrderLog;
import dev.tuntas.server.observe.OrderMeters;
import dev.tuntas.server.observe.Printed;
import dev.tuntas.server.observe.RideGauges;
import dev.tuntas.server.observe.RideLog;
import dev.tuntas.server.observe.RideMeters;
import dev.tuntas.server.observe.StepMeters;
import dev.tuntas.server.settings.Here;
import dev.tuntas.store.Stores;
import dev.tuntas.support.RefundTask;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// Who watches the engine: meters and the log.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Orders.class)
class ObserveWiring {

  /// Every saga that this program can run.
  record AllSagas(List<SagaDefinition<?>> all) {}

  @Bean
  AllSagas allSagas(OrderSagas sagas, SagaDefinition<RefundTask> refundSaga) {
    var all = new ArrayList<SagaDefinition<?>>(sagas.all());
    all.add(refundSaga);
    return new AllSagas(List.copyOf(all));
  }

  @Bean
  StepMeters stepMeters(AllSagas sagas, MeterRegistry registry) {
    return new StepMeters(sagas.all(), registry);
  }

  @Bean
  CompensationMeters compensationMeters(MeterRegistry registry) {
    return new CompensationMeters(registry);
  }

  @Bean
  OrderMeters orderMeters(OrderSagas sagas, MeterRegistry registry) {
    return new OrderMeters(sagas, registry);
  }

  @Bean
  RideMeters rideMeters(AreaBook areas, MeterRegistry registry) {
    return new RideMeters(() -> areas.current().areas(), registry);
  }

  @Bean
  StatusJournal statusJournal(OrderSagas sagas, RideMeters meters) {
    return StatusJournal.of(sagas, meters);
  }

  @Bean
  RideJournal rideJournal(RideMeters meters, InstantSource clock) {
    return new RideJournal(meters, clock);
  }

  @Bean
  AdmissionJournal admissionJournal(RideMeters meters) {
    return new AdmissionJournal(meters);
  }

  @Bean
  MeterBinder rideGauges(RideJournal journal, Stores stores) {
    return new RideGauges(journal, stores);
  }

  @Bean
  AreaGauges areaGauges(AreaDesk desk, InstantSource clock, MeterRegistry registry) {
    return new AreaGauges(desk, clock, registry);
  }

  @Bean
  RideLog rideLog(InstantSource clock) {
    return new RideLog(clock);
  }

  @Bean
  EngineMeters engineMeters(MeterRegistry registry) {
    return new EngineMeters(registry);
  }

  @Bean
  MeterBinder printedMeters() {
    return Printed::count;
  }

  @Bean
  OrderLog orderLog() {
    return new OrderLog();
  }

  @Bean
  IdempotencyHits idempotencyHits(MeterRegistry registry) {
    return new IdempotencyHits(registry);
  }

  @Bean
  MeterBinder engineGauges(Engine engine, Stores stores, AllSagas sagas, InstantSource clock) {
    var lanes = new TreeSet<String>();
    for (var saga : sagas.all()) saga.steps().stream().map(Step::lane).forEach(lanes::add);
    lanes.remove(""); // a step without a partner has no breaker
    return new EngineGauges(engine, stores, lanes, clock);
  }
}
