package dev.tuntas.engine;

import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import java.util.function.Consumer;

/// Makes calls to the outside. Each is reported exactly once, at the latest when its timeout
/// passes: an exception or no answer is `Unclear`. The report comes on another turn, never during
/// `make`.
public interface Calls {
  <D> void make(Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report);
}
