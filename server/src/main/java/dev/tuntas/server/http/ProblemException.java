package dev.tuntas.server.http;

/// Ends a request with a problem. It has no stack trace: it is an answer, not a fault.
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.code(), null, false, false);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
