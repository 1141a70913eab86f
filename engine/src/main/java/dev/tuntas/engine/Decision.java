package dev.tuntas.engine;

import dev.tuntas.saga.Notice;
import java.util.List;

/// What follows from an event. An empty `what` means that nothing needs to be recorded. `verdict`
/// is the answer to whoever said something.
public record Decision<D>(
    State<D> state, Next next, List<Notice> notices, String what, String verdict) {}
