package dev.tuntas.inventory;

import dev.tuntas.money.Money;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// How an item, or a room on one night, stands.
///
/// @param date of a room only
public record StockView(
    String id,
    @Nullable LocalDate date,
    long stock,
    long available,
    long held,
    long committed,
    Money price) {}
