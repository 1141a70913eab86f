package dev.tuntas.support;

import dev.tuntas.money.Money;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What makes a ticket.
///
/// @param cause the same however often it is told
/// @param subject the saga that it is about: the order, or a refund of it
/// @param version the order's when it was told
/// @param detail what else is known
record Trouble(
    TicketType type,
    String orderId,
    String subject,
    String cause,
    String orderKind,
    String orderStatus,
    long version,
    @Nullable Money amount,
    String reason,
    @Nullable String detail,
    Instant at) {}
