package dev.tuntas.support;

import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Something that a person must look at.
///
/// @param no orders tickets by age
/// @param subject the saga that it is about: the order, or a refund of it
/// @param orderStatus the order's status when the ticket was opened
/// @param version changes with everything that is done to it
public record Ticket(
    long no,
    String id,
    TicketType type,
    Status status,
    String orderId,
    String subject,
    String orderKind,
    String orderStatus,
    @Nullable Money amount,
    String reason,
    Instant openedAt,
    Instant dueAt,
    boolean overdue,
    boolean verified,
    @Nullable Resolution resolution,
    @Nullable Instant resolvedAt,
    long version,
    List<Note> notes) {

  /// What every ticket has: it is about somebody's money.
  public static final String PRIORITY = "high";

  public Ticket {
    notes = List.copyOf(notes);
  }

  public enum Status {
    OPEN,
    IN_PROGRESS,
    RESOLVED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public record Note(Instant at, String author, String text) {}

  public List<String> actions() {
    return type.actions();
  }

  boolean isOfRide() {
    return orderKind.equals("ride");
  }

  public boolean isResolved() {
    return status == Status.RESOLVED;
  }
}
