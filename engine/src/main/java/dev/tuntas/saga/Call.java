package dev.tuntas.saga;

import java.time.Duration;

/// One call to the outside. `key` names the effect for ever: every retry, worker and operator uses
/// the same one, and a partner that has seen it must not do the work again.
public record Call(String sagaId, String step, String key, int attempt, Duration timeout) {}
