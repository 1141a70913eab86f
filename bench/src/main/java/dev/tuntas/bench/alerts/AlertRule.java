package dev.tuntas.bench.alerts;

import java.time.Duration;

/// An alert: what it looks at, and how long that must hold before it fires.
public record AlertRule(String name, Expression expression, Duration pending) {}
