package dev.tuntas.engine;

/// A saga's data as text and back.
public interface DataCodec {
  <D> String encode(D data, Class<D> type);

  <D> D decode(String text, Class<D> type);

  /// Refuses data that its text would not bring back, in words for the author of its type. Called
  /// before a text is stored, for the first thousand of a type and for every sixteenth after them.
  default <D> void check(D data, Class<D> type, String text) {
    var back = decode(text, type);
    if (!data.equals(back) && !encode(back, type).equals(text)) {
      throw new IllegalArgumentException(
          "a " + type.getName() + " does not come back from its text as it was");
    }
  }
}
