package dev.tuntas.saga;

/// A call to the outside: a step's action, its undo, or a probe that asks whether it happened. It
/// may block: it runs on a virtual thread of its saga's own. An exception counts as doubt.
@FunctionalInterface
public interface Action<D> {
  Outcome<D> perform(D data, Call call) throws Exception;
}
