package dev.tuntas.server.wiring;

import dev.tuntas.audit.Audit;
import dev.tuntas.server.access.AccessFilter;
import dev.tuntas.server.access.CallerReader;
import dev.tuntas.server.access.KeyRing;
import dev.tuntas.server.access.RateLimit;
import dev.tuntas.server.http.BodyReader;
import dev.tuntas.server.http.Edge;
import dev.tuntas.server.load.EarlyRefusal;
import dev.tuntas.server.load.LoadFilter;
import dev.tuntas.server.load.LoadLimit;
import dev.tuntas.server.load.Pace;
import dev.tuntas.server.load.Ration;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.watch.Watchdog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// What a request passes before it reaches a controller, in this order: the edge, access, load.
@Configuration(proxyBeanMethods = false)
class WebWiring implements WebMvcConfigurer {

  /// Spring's filter that begins a trace comes before all of ours.
  private static final int FIRST = Integer.MIN_VALUE + 100;

  /// Nobody waits longer than this to be told that there is no room.
  private static final Duration REFUSED_WITHIN = Duration.ofSeconds(4);

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(new BodyReader());
    resolvers.add(new CallerReader());
  }

  @Bean
  FilterRegistrationBean<Edge> edge(ObjectProvider<Tracer> tracer) {
    return at(FIRST, new Edge(tracer.getIfAvailable()));
  }

  @Bean
  FilterRegistrationBean<AccessFilter> access(KeyRing keys, Audit audit, Settings settings) {
    var limit = settings.rateLimit();
    var rate =
        new RateLimit(
            limit.perSecondOr(settings.embedded()), limit.burstOrDefault(), System::nanoTime);
    return at(FIRST + 1, new AccessFilter(keys, rate, audit));
  }

  @Bean
  LoadLimit loadLimit(Settings settings, MeterRegistry metrics) {
    var limit = new LoadLimit(settings.load());
    Gauge.builder("front_door_limit", limit, LoadLimit::limit)
        .description("How many requests may be under way at once")
        .register(metrics);
    Gauge.builder("front_door_in_flight", limit, LoadLimit::inFlight)
        .description("How many requests are under way")
        .register(metrics);
    return limit;
  }

  @Bean
  Ration ration(Settings settings, MeterRegistry metrics) {
    var ration = new Ration(settings.load().openMax());
    Gauge.builder("orders_worked_on", ration, Ration::open)
        .description("How many orders this process has taken on and not finished or put off")
        .register(metrics);
    return ration;
  }

  /// Before anything that is measured, traced or looked up.
  @Bean
  FilterRegistrationBean<EarlyRefusal> earlyRefusal(
      LoadLimit limit, Ration ration, Settings settings) {
    var load = settings.load();
    var pace = new Pace(load.refusalsPerSecond(), REFUSED_WITHIN);
    var refusal =
        new EarlyRefusal(limit, ration, load.retryAfter(), pace, System::nanoTime, Thread::sleep);
    return at(Integer.MIN_VALUE, refusal);
  }

  @Bean
  FilterRegistrationBean<LoadFilter> load(
      LoadLimit limit, Settings settings, ObjectProvider<Watchdog> watchdog) {
    // Filters are made before the engine is.
    var later = SingletonSupplier.ofNullable(watchdog::getIfAvailable);
    BooleanSupplier standsStill =
        () -> {
          var dog = later.get();
          return dog != null && dog.refuses();
        };
    return at(FIRST + 2, new LoadFilter(limit, settings.load().retryAfter(), standsStill));
  }

  private static <F extends Filter> FilterRegistrationBean<F> at(int order, F filter) {
    var registration = new FilterRegistrationBean<>(filter);
    registration.setOrder(order);
    registration.setAsyncSupported(true);
    return registration;
  }
}
