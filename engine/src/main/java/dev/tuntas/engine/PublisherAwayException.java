package dev.tuntas.engine;

/// Nothing can be published at the moment; the notices wait, and nothing is held against them.
public final class PublisherAwayException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  PublisherAwayException(Exception cause) {
    super("nothing can be published: " + cause, cause);
  }
}
