package dev.tuntas.server.wiring;

import dev.tuntas.server.observe.Traces;
import io.micrometer.observation.ObservationFilter;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Traces, where somebody said to whom they are exported; else nothing is recorded.
@Configuration(proxyBeanMethods = false)
class TraceWiring {

  @Bean
  Traces traces(ObjectProvider<SpanExporter> exporters, ObjectProvider<Tracer> tracer) {
    return exporters.stream().findAny().isPresent()
        ? Traces.with(tracer.getObject())
        : Traces.none();
  }

  @Bean
  Sampler sampler(
      ObjectProvider<SpanExporter> exporters,
      @Value("${management.tracing.sampling.probability:1.0}") double share) {
    return exporters.stream().findAny().isPresent()
        ? Sampler.parentBased(Sampler.traceIdRatioBased(share))
        : Sampler.alwaysOff();
  }

  /// The address of a customer's page opens it: it stays out of traces.
  @Bean
  ObservationFilter withoutAddresses() {
    return context -> context.removeHighCardinalityKeyValue("http.url");
  }
}
