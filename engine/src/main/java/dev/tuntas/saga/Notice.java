package dev.tuntas.saga;

/// Something the world should hear. It is written in the transaction of the decision that causes
/// it, and delivered at least once, in order per saga.
public record Notice(String type, String body) {}
