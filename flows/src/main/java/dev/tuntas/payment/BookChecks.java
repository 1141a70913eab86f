package dev.tuntas.payment;

import java.util.List;

/// What must hold in the books of the payment service. The schema refuses most of it already; this
/// finds what was changed behind its back.
final class BookChecks {

  /// A query that names the orders at which a rule is broken.
  ///
  /// @param broken what is then true, after the name of the order
  record Check(String rule, String broken, String query) {

    String sentence(String orderId) {
      return rule + ": " + orderId + " " + broken + ".";
    }
  }

  static final List<Check> ALL =
      List.of(
          new Check(
              "M2",
              "was charged more than once",
              """
              select order_id from idempotency_store
               where operation = 'charge' and status <> 'declined'
               group by order_id having count(*) > 1
               order by order_id
              """),
          new Check(
              "M3",
              "was refunded more than was captured",
              """
              select order_id from purse
               where refunded > captured or refunded < 0 order by order_id
              """),
          new Check(
              "M10",
              "has promised more to refunds than is left of its charge",
              """
              select order_id from purse
               where refunded + pending > captured or pending < 0 order by order_id
              """),
          new Check(
              "M8",
              "has a journal whose debits and credits differ",
              """
              select order_id from journal
               group by order_id, operation, key having sum(debit) <> sum(credit)
               order by order_id
              """),
          new Check(
              "M8",
              "has a journal that does not add up to its balance",
              """
              select p.order_id from purse p
               where p.captured - p.refunded <>
                     coalesce((select sum(j.debit - j.credit) from journal j
                                where j.order_id = p.order_id and j.account = 'bank'), 0)
               order by p.order_id
              """),
          new Check(
              "M8",
              "has requests that do not add up to its balance",
              """
              select p.order_id from purse p
               where p.captured <>
                     coalesce((select sum(i.amount) from idempotency_store i
                                where i.order_id = p.order_id and i.operation = 'charge'
                                  and i.status = 'done'), 0)
                  or p.refunded <>
                     coalesce((select sum(i.amount) from idempotency_store i
                                where i.order_id = p.order_id and i.operation = 'refund'
                                  and i.status = 'done'), 0)
                  or p.pending <>
                     coalesce((select sum(i.amount) from idempotency_store i
                                where i.order_id = p.order_id and i.operation = 'refund'
                                  and i.status = 'sent' and not i.whole), 0)
               order by p.order_id
              """));

  private BookChecks() {}
}
