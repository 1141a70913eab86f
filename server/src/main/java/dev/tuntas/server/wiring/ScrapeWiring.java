package dev.tuntas.server.wiring;

import dev.tuntas.server.observe.AreaGauges;
import dev.tuntas.server.observe.RideMeters;
import dev.tuntas.server.observe.ScrapeEndpoint;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Metrics for Prometheus, in every process.
@Configuration(proxyBeanMethods = false)
class ScrapeWiring {

  @Bean
  ScrapeEndpoint prometheusEndpoint(
      PrometheusRegistry registry,
      ObjectProvider<RideMeters> rides,
      ObjectProvider<AreaGauges> areas) {
    return new ScrapeEndpoint(
        registry,
        () -> {
          rides.ifAvailable(RideMeters::refresh);
          areas.ifAvailable(AreaGauges::refresh);
        });
  }
}
