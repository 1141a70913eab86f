package dev.tuntas.bench.verify;

import dev.tuntas.audit.Audit;
import dev.tuntas.audit.AuditCheck;
import dev.tuntas.audit.AuditHeads;
import dev.tuntas.simulator.verify.Finding.Tally;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Looks at the chain of what operators did.
final class AuditLog {

  private AuditLog() {}

  static Line check(Tables tables, @Nullable Path heads) {
    var audit = new Audit(tables, InstantSource.system());
    var check =
        heads == null ? new AuditCheck(audit) : new AuditCheck(audit, new AuditHeads(heads));
    var tally = new Tally("U1", "the audit log is as it was written");
    return switch (check.run()) {
      case AuditCheck.Finding.Intact(long entries) -> new Line(tally.finding(), entries, "entries");
      case AuditCheck.Finding.Broken(long seq, var why) -> {
        tally.add("Entry " + seq + ": " + why + ".");
        yield new Line(tally.finding(), seq, "entries");
      }
    };
  }
}
