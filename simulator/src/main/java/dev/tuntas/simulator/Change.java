package dev.tuntas.simulator;

/// What became of a wish to change how a simulated partner behaves.
public sealed interface Change<B> {

  record Changed<B>(B behaviour) implements Change<B> {}

  /// @param code `unknown_field`, `field_type` or `out_of_range`
  record Refused<B>(String field, String code, String sentence) implements Change<B> {}
}
