package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.DataCodec;

/// Data as text, for many threads.
final class SharedCodec implements DataCodec {

  private final ReferenceCodec codec = new ReferenceCodec();

  @Override
  public synchronized <D> String encode(D data, Class<D> type) {
    return codec.encode(data, type);
  }

  @Override
  public <D> void check(D data, Class<D> type, String text) {}

  @Override
  public synchronized <D> D decode(String text, Class<D> type) {
    return codec.decode(text, type);
  }
}
