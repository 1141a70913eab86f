package dev.tuntas.testkit.threads;

/// Something thrown by the scenario itself, to see what comes of it: in the log it is no finding.
public interface Planned {}
