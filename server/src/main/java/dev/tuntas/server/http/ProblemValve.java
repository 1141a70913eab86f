package dev.tuntas.server.http;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers what never reached the application: request lines, headers and targets that Tomcat
/// itself refuses. Public, because Tomcat makes it by its name.
public final class ProblemValve extends ErrorReportValve {

  private static final Logger log = LoggerFactory.getLogger(ProblemValve.class);

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) return;
    if (status >= 500 && failure != null) log.error("A request failed outside of it all", failure);
    try {
      Edge.addHeaders(response);
      response.setContentType(Problems.MEDIA_TYPE);
      var problem = problem(status, request);
      response.setStatus(problem.status());
      problem.headers().forEach(response::setHeader);
      var body = Problems.bytes(problem, null, TraceId.made());
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
      response.finishResponse();
    } catch (IOException | IllegalStateException e) {
      log.debug("Nobody was there to hear of status {}", status, e);
    }
  }

  private static Problem problem(int status, Request request) {
    // A path that cannot be decoded is well-formed HTTP; it only names nothing.
    var path = "" + request.getCoyoteRequest().requestURI(); // "null" if it was not even read
    return status == 400 && path.contains("%") ? Problem.notFound() : problem(status);
  }

  private static Problem problem(int status) {
    return switch (status) {
      case 404 -> Problem.notFound();
      case 405 -> Problems.methodNotAllowed("GET, POST, PUT, DELETE");
      case 408 -> Problem.of(408, "request_timeout", "The request took too long to arrive.");
      case 413 -> JsonBody.tooLarge();
      case 414 -> Problem.of(414, "uri_too_long", "The address is longer than 8 KB.");
      case 431 -> Edge.headersTooLarge();
      case 500, 503 -> Problem.of(status, "internal_error", "Something went wrong here.");
      case 501 -> Problem.of(501, "method_unknown", "There is no such method.");
      case 505 -> Problem.of(505, "http_version_unsupported", "HTTP/1.1 is spoken here.");
      default -> Problem.of(status, "request_malformed", "This is not a request that HTTP allows.");
    };
  }
}
