package dev.tuntas.engine;

/// A saga's data as text and back.
public interface DataCodec {
  <D> String encode(D data, Class<D> type);

  <D> D decode(String text, Class<D> type);
}
