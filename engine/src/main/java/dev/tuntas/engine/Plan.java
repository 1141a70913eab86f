package dev.tuntas.engine;

/// A decision, what to do once it is durable, and the inbox row it settles, or -1.
record Plan<D>(Decision<D> decision, Next next, long pos) {}
