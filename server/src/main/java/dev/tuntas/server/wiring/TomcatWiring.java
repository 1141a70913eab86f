package dev.tuntas.server.wiring;

import dev.tuntas.server.http.ProblemValve;
import java.io.File;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// What Tomcat refuses by itself, and how it says so.
@Configuration(proxyBeanMethods = false)
class TomcatWiring {

  /// More than the edge allows, so that it is the edge that answers.
  private static final int HEADERS_MAX = 1000;

  private static final int UPLOAD_MILLIS_MAX = 10_000;

  /// How much of a refused body is read to its end so that the answer gets through.
  private static final int SWALLOW_MAX = 256 * 1024;

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> strictTomcat(
      @Value("${server.tomcat.basedir:}") String base) {
    return factory -> {
      // Without it Tomcat makes an empty one elsewhere.
      if (!base.isEmpty()) factory.setDocumentRoot(new File(base));
      factory.addConnectorCustomizers(TomcatWiring::restrict);
      factory.addContextCustomizers(
          context -> {
            if (context.getParent() instanceof StandardHost host) {
              host.setErrorReportValveClass(ProblemValve.class.getName());
            }
          });
    };
  }

  private static void restrict(Connector connector) {
    // Methods and paths are judged by our own filters, which tell the truth about both.
    connector.setAllowTrace(true);
    connector.setEncodedSolidusHandling("passthrough");
    connector.setEncodedReverseSolidusHandling("passthrough");
    connector.setMaxParameterCount(50);
    connector.setMaxPostSize(0);
    if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
      http.setMaxHeaderCount(HEADERS_MAX);
      http.setDisableUploadTimeout(false);
      http.setConnectionUploadTimeout(UPLOAD_MILLIS_MAX);
      http.setMaxSwallowSize(SWALLOW_MAX);
      // A body that will be refused is not asked for.
      http.setContinueResponseTiming("onRead");
    }
  }
}
