package dev.tuntas.saga;

/// News from outside about a saga: a partner's callback. `source` and `externalId` together name it
/// once and for all, so that a second delivery is recognised; `name` says which step it is for.
public record Signal(String source, String externalId, String name, String body) {

  public Signal {
    if (source.isBlank() || externalId.isBlank() || name.isBlank()) {
      throw new IllegalArgumentException("a signal needs a source, an external id and a name");
    }
  }
}
