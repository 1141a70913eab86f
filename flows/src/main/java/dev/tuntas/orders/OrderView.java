package dev.tuntas.orders;

import dev.tuntas.engine.StepView;
import java.time.Instant;
import java.util.List;

/// An order as it is now.
public record OrderView(
    String id,
    Order order,
    Standing standing,
    List<StepView> steps,
    long version,
    Instant createdAt,
    Instant movedAt) {}
