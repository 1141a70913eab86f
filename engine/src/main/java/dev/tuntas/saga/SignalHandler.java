package dev.tuntas.saga;

/// Reads a signal as an answer. It decides from what it is given and calls nobody.
@FunctionalInterface
public interface SignalHandler<D> {
  Outcome<D> read(D data, Signal signal);
}
