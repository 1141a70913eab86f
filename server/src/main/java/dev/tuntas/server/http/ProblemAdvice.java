package dev.tuntas.server.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.connector.ClientAbortException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;

/// Answers what controllers throw.
@ControllerAdvice
class ProblemAdvice {

  @ExceptionHandler(Exception.class)
  void answer(Exception failure, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Problems.write(Problems.of(failure), request, response);
  }

  /// The client went away, or the time of its stream ended: there is nobody to answer.
  @ExceptionHandler({
    AsyncRequestNotUsableException.class,
    AsyncRequestTimeoutException.class,
    ClientAbortException.class
  })
  void gone() {}
}
