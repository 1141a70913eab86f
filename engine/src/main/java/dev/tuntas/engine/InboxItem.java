package dev.tuntas.engine;

import dev.tuntas.saga.Signal;

/// Something said to a saga and not yet applied: a signal, or a ruling of a person or client. An
/// unapplied one is itself the wake-up of its saga.
public record InboxItem(long pos, String sagaId, Signal signal) {}
