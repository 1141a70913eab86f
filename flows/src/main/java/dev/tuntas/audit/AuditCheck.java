package dev.tuntas.audit;

import dev.tuntas.audit.Audit.Head;
import dev.tuntas.audit.Audit.Link;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the whole audit log and finds the first entry that is not as it was written.
public final class AuditCheck {

  public sealed interface Finding {

    /// Nothing was changed, removed or added.
    record Intact(long entries) implements Finding {}

    /// The first entry that is wrong or missing, and what is wrong with it.
    record Broken(long seq, String why) implements Finding {}
  }

  private static final int BATCH = 1000;

  private final Audit audit;
  private final List<Head> kept;

  public AuditCheck(Audit audit, AuditHeads heads) {
    this.audit = audit;
    this.kept = heads.kept();
  }

  /// Without heads that were kept elsewhere.
  public AuditCheck(Audit audit) {
    this.audit = audit;
    this.kept = List.of();
  }

  public Finding run() {
    var expected = new HashMap<Long, String>();
    for (var head : kept) expected.put(head.seq(), head.hash());
    var end = audit.head(); // first: what is appended meanwhile is not missing
    var last = new Head(0, "");
    for (var batch = audit.oldest(0, BATCH);
        !batch.isEmpty();
        batch = audit.oldest(last.seq(), BATCH)) {
      for (var link : batch) {
        var why = flaw(link, last, expected);
        if (why.isPresent()) return new Finding.Broken(last.seq() + 1, why.get());
        last = new Head(link.seq(), link.hash());
        if (last.seq() == end.seq() && !last.hash().equals(end.hash())) {
          return new Finding.Broken(last.seq(), "the log's head has another hash");
        }
      }
    }
    return ending(last, end);
  }

  private static Optional<String> flaw(Link link, Head last, Map<Long, String> expected) {
    if (link.seq() != last.seq() + 1) return Optional.of("it is missing");
    if (!link.prevHash().equals(last.hash())) {
      return Optional.of("it does not follow the entry before it");
    }
    if (!link.hash().equals(Audit.hash(link.seq(), link.at(), link.entry(), link.prevHash()))) {
      return Optional.of("it was changed");
    }
    var kept = expected.get(link.seq());
    return kept == null || kept.equals(link.hash())
        ? Optional.empty()
        : Optional.of("it is not the entry whose hash was kept outside");
  }

  private Finding ending(Head last, Head end) {
    long known = kept.stream().mapToLong(Head::seq).max().orElse(0);
    return last.seq() < Math.max(end.seq(), known)
        ? new Finding.Broken(last.seq() + 1, "it is missing")
        : new Finding.Intact(last.seq());
  }
}
