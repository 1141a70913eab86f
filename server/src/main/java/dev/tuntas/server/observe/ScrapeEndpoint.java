package dev.tuntas.server.observe;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusOutputFormat;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusScrapeEndpoint;

/// The metrics, under the names of the documents. Always as text: the other formats demand names
/// that are not ours.
@WebEndpoint(id = "prometheus")
public final class ScrapeEndpoint extends PrometheusScrapeEndpoint {

  private static final PrometheusOutputFormat TEXT = PrometheusOutputFormat.CONTENT_TYPE_004;

  private final Runnable before;

  /// @param before brings up to date what nobody tells
  public ScrapeEndpoint(PrometheusRegistry registry, Runnable before) {
    super(registry, new Properties());
    this.before = before;
  }

  @Override
  @ReadOperation(producesFrom = PrometheusOutputFormat.class)
  public WebEndpointResponse<byte[]> scrape(
      PrometheusOutputFormat wanted, @Nullable Set<String> includedNames) {
    before.run();
    var written = Objects.requireNonNull(super.scrape(TEXT, includedNames).getBody());
    var named = DocumentedNames.in(new String(written, UTF_8));
    return new WebEndpointResponse<>(named.getBytes(UTF_8), TEXT);
  }
}
