package dev.tuntas.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.audit.Audit;
import dev.tuntas.audit.AuditCheck;
import dev.tuntas.audit.AuditCheck.Finding.Broken;
import dev.tuntas.audit.AuditCheck.Finding.Intact;
import dev.tuntas.audit.AuditHeads;
import dev.tuntas.engine.StoreException;
import dev.tuntas.store.Stores;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the audit log holds on every database.
abstract class AuditContract {

  private static final Caller ADA =
      new Caller("ada", "key_1", Set.of(Role.ADMIN), true, "::1", "trace");

  @TempDir Path folder;
  private Stores stores;
  private Tables tables;
  private Audit audit;
  private AuditHeads heads;

  abstract Stores open(Path folder);

  /// Takes away what keeps the table as it is: what somebody does who owns the database.
  abstract void unlock(Tables tables);

  @BeforeEach
  void start() {
    stores = open(folder);
    tables = stores.tables(TableSet.of("access"));
    audit = new Audit(tables, InstantSource.system());
    heads = new AuditHeads(folder.resolve("heads"));
    for (int i = 1; i <= 5; i++) audit.append(ADA.did("did", "thing-" + i).because("why " + i));
  }

  @AfterEach
  void stop() {
    stores.close();
  }

  @Test
  void an_untouched_log_is_intact() {
    heads.keep(audit.head());
    assertThat(check()).isEqualTo(new Intact(5));
    audit.append(ADA.did("more", "x"));
    assertThat(check()).isEqualTo(new Intact(6));
  }

  @Test
  void nobody_can_change_or_delete_an_entry() {
    assertThatThrownBy(() -> run("update access_audit set actor = 'bob' where seq = 1"))
        .isInstanceOf(StoreException.class)
        .hasStackTraceContaining("append-only");
    assertThatThrownBy(() -> run("delete from access_audit"))
        .hasStackTraceContaining("append-only");
    assertThat(check()).isEqualTo(new Intact(5));
  }

  @Test
  void an_edited_byte_is_found() {
    unlock(tables);
    run("update access_audit set reason = 'why 8' where seq = 3");
    assertThat(check()).isEqualTo(new Broken(3, "it was changed"));
  }

  @Test
  void a_deleted_last_entry_is_found() {
    unlock(tables);
    run("delete from access_audit where seq = 5");
    assertThat(check()).isEqualTo(new Broken(5, "it is missing"));
  }

  @Test
  void a_deleted_last_entry_is_found_even_if_the_head_was_set_back() {
    heads.keep(audit.head());
    unlock(tables);
    run("delete from access_audit where seq = 5");
    run(
        "update access_audit_head set seq = 4, hash = (select entry_hash from access_audit where"
            + " seq = 4)");
    assertThat(check()).isEqualTo(new Broken(5, "it is missing"));
  }

  @Test
  void a_deleted_middle_entry_is_found() {
    unlock(tables);
    run("delete from access_audit where seq = 3");
    assertThat(check()).isEqualTo(new Broken(3, "it is missing"));
  }

  @Test
  void two_swapped_entries_are_found() {
    unlock(tables);
    run("update access_audit set seq = 99 where seq = 2");
    run("update access_audit set seq = 2 where seq = 3");
    run("update access_audit set seq = 3 where seq = 99");
    assertThat(check()).isEqualTo(new Broken(2, "it does not follow the entry before it"));
  }

  @Test
  void a_chain_written_anew_is_found_by_the_head_that_was_kept() {
    heads.keep(audit.head());
    unlock(tables);
    run("delete from access_audit");
    run("update access_audit_head set seq = 0, hash = ''");
    for (int i = 1; i <= 5; i++) audit.append(ADA.did("did", "other-" + i));
    assertThat(check()).isEqualTo(new Broken(5, "it is not the entry whose hash was kept outside"));
  }

  @Test
  void entries_appended_at_once_are_numbered_without_gaps() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) threads.submit(() -> audit.append(ADA.did("at once", "x")));
    }
    assertThat(check()).isEqualTo(new Intact(25));
  }

  @Test
  void an_entry_of_a_transaction_that_failed_leaves_no_trace() {
    assertThatThrownBy(
            () ->
                tables.write(
                    "fail",
                    session -> {
                      audit.append(session, ADA.did("never", "x"));
                      throw new IllegalStateException("on purpose");
                    }))
        .hasMessage("on purpose");
    audit.append(ADA.did("next", "x"));
    assertThat(check()).isEqualTo(new Intact(6));
  }

  private AuditCheck.Finding check() {
    return new AuditCheck(audit, heads).run();
  }

  final void run(String sql) {
    tables.write("tamper", session -> session.update(sql));
  }
}
