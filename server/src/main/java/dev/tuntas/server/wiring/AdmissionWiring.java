package dev.tuntas.server.wiring;

import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.AreaHistory;
import dev.tuntas.areas.LoyaltyBook;
import dev.tuntas.areas.WaitingMirror;
import dev.tuntas.orders.AdmissionJournal;
import dev.tuntas.server.areas.AreaAnswers;
import dev.tuntas.server.areas.AreaRounds;
import dev.tuntas.server.areas.CustomerLoyalty;
import dev.tuntas.server.areas.RefusalCounts;
import dev.tuntas.server.settings.Here;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// Who is let in where, in processes that accept or run orders.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Orders.class)
class AdmissionWiring {

  @Bean
  AreaDesk areaDesk(AreaBook book, Tables areaTables, WaitingMirror mirror, InstantSource clock) {
    return new AreaDesk(book, areaTables, mirror, clock);
  }

  @Bean
  AreaHistory areaHistory(Tables areaTables, AreaDesk desk) {
    return new AreaHistory(areaTables, desk);
  }

  @Bean
  RefusalCounts refusalCounts() {
    return new RefusalCounts();
  }

  @Bean
  AreaRounds areaRounds(AreaHistory history, RefusalCounts refusals, InstantSource clock) {
    return new AreaRounds(history, refusals, clock);
  }

  @Bean
  CustomerLoyalty customerLoyalty(LoyaltyBook book) {
    return new CustomerLoyalty(book);
  }

  @Bean
  AreaAnswers areaAnswers(
      AreaDesk desk, RefusalCounts refusals, AdmissionJournal journal, InstantSource clock) {
    return new AreaAnswers(desk, refusals, journal, clock);
  }
}
