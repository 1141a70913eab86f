package dev.tuntas.support;

import dev.tuntas.money.Money;
import dev.tuntas.store.Session;
import dev.tuntas.support.Ticket.Note;
import dev.tuntas.support.Ticket.Status;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tickets in their tables. All methods run in the caller's transaction.
public final class Tickets {

  /// Which tickets are wanted; what is null does not matter.
  public record Filter(
      @Nullable Status status, @Nullable TicketType type, @Nullable String orderId) {
    public static final Filter ALL = new Filter(null, null, null);
  }

  /// Who writes what nobody wrote.
  static final String SYSTEM = "tuntas";

  private static final int REASON_MAX = 1_000;

  private static final String SELECT =
      """
      select no, id, type, status, order_id, subject, order_kind, order_status, amount, currency,
             reason, opened_at, due_at, overdue_at, verified_at, resolution, resolved_at, version
        from support_ticket
      """;

  private static final String LIST =
      SELECT
          + """
           where no < ? and (? = '' or status = ?) and (? = '' or type = ?)
             and (? = '' or order_id = ?) order by no desc limit ?
          """;

  private static final String STILL_OPEN =
      SELECT + " where order_id = ? and status <> 'resolved' order by no for update";

  private static final String OPEN_OF =
      """
      select id from support_ticket
       where order_id = ? and status <> 'resolved' order by no desc limit 1
      """;

  private static final String OVERDUE =
      SELECT
          + """
           where status <> 'resolved' and overdue_at is null and due_at <= ?
           order by due_at limit ? for update
          """;

  private static final String NOTES =
      "select ticket_no, at, author, text from support_note where ticket_no = any (?) order by no";

  private static final String CAUSE =
      """
      insert into support_cause (order_id, type, cause, at) values (?, ?, ?, ?)
      on conflict do nothing
      """;

  private static final String OPEN =
      """
      insert into support_ticket
        (id, type, status, order_id, subject, order_kind, order_status, seen_version, amount,
         currency, reason, opened_at, due_at, version)
      values (?, ?, 'open', ?, ?, ?, ?, ?, cast(? as bigint), ?, ?, ?, ?, 1) on conflict do nothing
      """;

  private static final String NOTE =
      "insert into support_note (ticket_no, at, author, text) values (?, ?, ?, ?)";

  private static final String TOUCH =
      "update support_ticket set version = version + 1 where no = ?";

  private static final String TAKE_UP =
      "update support_ticket set status = 'in_progress', version = version + 1 where no = ?";

  private static final String VERIFY =
      """
      update support_ticket set status = 'in_progress', verified_at = ?, version = version + 1
       where no = ?
      """;

  private static final String RESOLVE =
      """
      update support_ticket
         set status = 'resolved', resolution = ?, resolved_at = ?, version = version + 1
       where no = ? and status <> 'resolved'
      """;

  private static final String MARK =
      """
      update support_ticket set overdue_at = ?, version = version + 1
       where no = ? and overdue_at is null
      """;

  private static final String UNHEEDED =
      SELECT
          + """
           where resolution in ('happened', 'did_not_happen') and heeded_at is null
             and resolved_at <= ? and tell_at is null order by resolved_at limit ? for update
          """;

  private static final String TELL_LATER =
      "update support_ticket set tell_at = ?, found_by = ? where no = ?";

  private static final String TOLD =
      "update support_ticket set tell_at = null, found_by = null, resolved_at = ? where no = ?";

  private static final String UNTOLD =
      """
      select no, found_by from support_ticket where tell_at <= ? order by tell_at limit ? for update
      """;

  private static final String HEEDED = "update support_ticket set heeded_at = ? where no = ?";

  private static final String REOPEN =
      """
      update support_ticket
         set status = 'open', resolution = null, resolved_at = null, version = version + 1
       where no = ? and not exists (
             select 1 from support_ticket o
              where o.order_id = support_ticket.order_id and o.type = support_ticket.type
                and o.subject = support_ticket.subject and o.status <> 'resolved')
      """;

  private static final String UNTOUCHED =
      SELECT + " where type = ? and order_status = ? and status = 'open' order by no limit ?";

  /// How many are open, how many of them are overdue, and how many wait for a refund.
  public record Counts(long open, long overdue, long refunds) {}

  private static final String COUNTS =
      """
      select count(*), count(overdue_at),
             count(case when type = 'MANUAL_REFUND_REQUIRED' then 1 end)
        from support_ticket where status <> 'resolved'
      """;

  public Counts counts(Session session) throws SQLException {
    return session
        .first(COUNTS, row -> new Counts(row.getLong(1), row.getLong(2), row.getLong(3)))
        .orElseThrow();
  }

  public Optional<Ticket> find(Session session, String id) throws SQLException {
    var found = session.first(SELECT + " where id = ?", Tickets::read, id);
    return withNotes(session, found.stream().toList()).stream().findFirst();
  }

  /// Newest first, those with a number below `before`.
  public List<Ticket> list(Session session, Filter filter, long before, int limit)
      throws SQLException {
    var status = filter.status == null ? "" : filter.status.word();
    var type = filter.type == null ? "" : filter.type.name();
    var order = filter.orderId == null ? "" : filter.orderId;
    var found =
        session.list(LIST, Tickets::read, before, status, status, type, type, order, order, limit);
    return withNotes(session, found);
  }

  /// Those of an order that somebody must still look at.
  public List<Ticket> stillOpen(Session session, String orderId) throws SQLException {
    return session.list(STILL_OPEN, Tickets::read, orderId);
  }

  /// Those of a type that nobody has begun to work on, oldest first.
  List<Ticket> untouched(Session session, TicketType type, String orderStatus, int limit)
      throws SQLException {
    return session.list(UNTOUCHED, Tickets::read, type.name(), orderStatus, limit);
  }

  /// The newest ticket of an order that somebody must still look at.
  public Optional<String> openOf(Session session, String orderId) throws SQLException {
    return session.first(OPEN_OF, row -> row.getString(1), orderId);
  }

  /// The ticket without its notes, for the caller alone until the transaction ends.
  Optional<Ticket> lock(Session session, String id) throws SQLException {
    return session.first(SELECT + " where id = ? for update", Tickets::read, id);
  }

  Optional<Ticket> lock(Session session, long no) throws SQLException {
    return session.first(SELECT + " where no = ? for update", Tickets::read, no);
  }

  /// A new ticket; or none, because its cause is known, or because there is one about the same
  /// matter, which then tells of it.
  Optional<Ticket> open(Session session, Trouble trouble, Duration sla) throws SQLException {
    var type = trouble.type().name();
    if (session.update(CAUSE, trouble.orderId(), type, trouble.cause(), trouble.at()) == 0) {
      return Optional.empty();
    }
    while (true) {
      var id = idOf(trouble);
      if (insert(session, id, trouble, sla)) {
        var ticket = lock(session, id).orElseThrow();
        if (trouble.detail() != null) {
          note(session, ticket, SYSTEM, trouble.detail(), trouble.at());
        }
        return Optional.of(ticket);
      }
      var same =
          stillOpen(session, trouble.orderId()).stream()
              .filter(t -> t.type() == trouble.type() && t.subject().equals(trouble.subject()))
              .findFirst();
      if (same.isPresent()) {
        note(session, same.get(), SYSTEM, "Again: " + trouble.reason(), trouble.at());
        return Optional.empty();
      }
      // It was resolved in this very moment, so there is room for a new one.
    }
  }

  private static boolean insert(Session session, String id, Trouble trouble, Duration sla)
      throws SQLException {
    var amount = trouble.amount();
    return session.update(
            OPEN,
            id,
            trouble.type().name(),
            trouble.orderId(),
            trouble.subject(),
            trouble.orderKind(),
            trouble.orderStatus(),
            trouble.version(),
            amount == null ? null : amount.amount(),
            amount == null ? null : amount.currency(),
            cut(trouble.reason(), REASON_MAX),
            trouble.at(),
            trouble.at().plus(sla))
        == 1;
  }

  void note(Session session, Ticket ticket, String author, String text, Instant at)
      throws SQLException {
    session.update(NOTE, ticket.no(), at, author, cut(text, NoteText.LENGTH_MAX));
    session.update(TOUCH, ticket.no());
  }

  void takeUp(Session session, Ticket ticket) throws SQLException {
    session.update(TAKE_UP, ticket.no());
  }

  void verify(Session session, Ticket ticket, Instant at) throws SQLException {
    session.update(VERIFY, at, ticket.no());
  }

  void resolve(Session session, Ticket ticket, Resolution how, Instant at) throws SQLException {
    session.update(RESOLVE, how.word(), at, ticket.no());
  }

  /// Those that have just run past their time, marked so.
  List<Ticket> markOverdue(Session session, Instant now, int limit) throws SQLException {
    var marked = new ArrayList<Ticket>();
    for (var ticket : session.list(OVERDUE, Tickets::read, now, limit)) {
      if (session.update(MARK, now, ticket.no()) == 1) marked.add(ticket);
    }
    return marked;
  }

  /// Those that were resolved by a finding of which nobody has seen yet what came of it.
  List<Ticket> unheeded(Session session, Instant resolvedBefore, int limit) throws SQLException {
    return session.list(UNHEEDED, Tickets::read, resolvedBefore, limit);
  }

  /// Its finding is to be told to the saga from then on.
  void tellLater(Session session, Ticket ticket, Instant from, String foundBy) throws SQLException {
    session.update(TELL_LATER, from, foundBy, ticket.no());
  }

  /// A finding that its saga does not know yet.
  record Untold(long ticketNo, String foundBy) {}

  List<Untold> untold(Session session, Instant now, int limit) throws SQLException {
    return session.list(UNTOLD, row -> new Untold(row.getLong(1), row.getString(2)), now, limit);
  }

  void told(Session session, Ticket ticket, Instant now) throws SQLException {
    session.update(TOLD, now, ticket.no());
  }

  void heeded(Session session, Ticket ticket, Instant now) throws SQLException {
    session.update(HEEDED, now, ticket.no());
  }

  /// Whether it is open again: not if there is a new one about the same matter.
  boolean reopen(Session session, Ticket ticket) throws SQLException {
    return session.update(REOPEN, ticket.no()) == 1;
  }

  /// The version of the order that a ticket was opened for.
  long seenVersion(Session session, Ticket ticket) throws SQLException {
    return session
        .first(
            "select seen_version from support_ticket where no = ?",
            row -> row.getLong(1),
            ticket.no())
        .orElseThrow();
  }

  /// Notes that a ticket knows of this version of its order.
  void seen(Session session, Ticket ticket, long version) throws SQLException {
    session.update("update support_ticket set seen_version = ? where no = ?", version, ticket.no());
  }

  private List<Ticket> withNotes(Session session, List<Ticket> tickets) throws SQLException {
    if (tickets.isEmpty()) return tickets;
    Map<Long, List<Note>> notes = new HashMap<>();
    session.list(
        NOTES,
        row ->
            notes
                .computeIfAbsent(row.getLong(1), _ -> new ArrayList<>())
                .add(
                    new Note(
                        Instant.ofEpochMilli(row.getLong(2)), row.getString(3), row.getString(4))),
        tickets.stream().map(Ticket::no).toList());
    return tickets.stream()
        .map(ticket -> with(ticket, notes.getOrDefault(ticket.no(), List.of())))
        .toList();
  }

  private static Ticket with(Ticket t, List<Note> notes) {
    return new Ticket(
        t.no(),
        t.id(),
        t.type(),
        t.status(),
        t.orderId(),
        t.subject(),
        t.orderKind(),
        t.orderStatus(),
        t.amount(),
        t.reason(),
        t.openedAt(),
        t.dueAt(),
        t.overdue(),
        t.verified(),
        t.resolution(),
        t.resolvedAt(),
        t.version(),
        notes);
  }

  private static Ticket read(ResultSet row) throws SQLException {
    var currency = row.getString(10);
    var resolution = row.getString(16);
    return new Ticket(
        row.getLong(1),
        row.getString(2),
        TicketType.valueOf(row.getString(3)),
        Status.valueOf(row.getString(4).toUpperCase(Locale.ROOT)),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        currency == null ? null : new Money(row.getLong(9), currency),
        row.getString(11),
        Instant.ofEpochMilli(row.getLong(12)),
        Instant.ofEpochMilli(row.getLong(13)),
        Session.time(row, 14) != null,
        Session.time(row, 15) != null,
        resolution == null ? null : Resolution.of(resolution),
        Session.time(row, 17),
        row.getLong(18),
        List.of());
  }

  private static String idOf(Trouble trouble) {
    var name =
        String.join(
            "\n", trouble.orderId(), trouble.type().name(), trouble.subject(), trouble.cause());
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var hash = digest.digest(name.getBytes(StandardCharsets.UTF_8));
      return "tic_" + HexFormat.of().formatHex(hash, 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has SHA-256
    }
  }

  private static String cut(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max);
  }
}
