package dev.tuntas.engine;

import dev.tuntas.saga.Notice;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One saga's entry in a batch. A batch holds at most one entry per saga.
public sealed interface Write {

  String id();

  /// When it was decided.
  Instant at();

  /// Where the saga is then.
  Status status();

  /// What was decided, for the history.
  String what();

  /// What to publish, in this order.
  List<Notice> notices();

  /// The version that this entry makes.
  long makesVersion();

  /// A new saga, version 1. Refused when the id is known. Owned by the writing node when `RUNNING`.
  record Insert(
      String id,
      int kind,
      Status status,
      int lane,
      @Nullable Instant dueAt,
      Instant deadline,
      String progress,
      String data,
      String what,
      List<Notice> notices,
      Instant at)
      implements Write {
    @Override
    public long makesVersion() {
      return 1;
    }
  }

  /// The next version of a saga that the writing node owns at `version`. Refused otherwise. `data`
  /// is null when it did not change, `deadline` when it does not wait. It resets the count of
  /// crashes, unless it `keepsCrashes`.
  record Move(
      String id,
      long version,
      Status status,
      int lane,
      @Nullable Instant dueAt,
      @Nullable Instant deadline,
      String progress,
      @Nullable String data,
      String what,
      List<Notice> notices,
      List<Applied> applied,
      Instant at,
      boolean keepsCrashes)
      implements Write {

    /// A move that ends a row of crashes.
    public Move(
        String id,
        long version,
        Status status,
        int lane,
        @Nullable Instant dueAt,
        @Nullable Instant deadline,
        String progress,
        @Nullable String data,
        String what,
        List<Notice> notices,
        List<Applied> applied,
        Instant at) {
      this(
          id, version, status, lane, dueAt, deadline, progress, data, what, notices, applied, at,
          false);
    }

    @Override
    public long makesVersion() {
      return version + 1;
    }
  }

  /// An inbox row that the entry settles, with what became of it.
  record Applied(long pos, String verdict) {}
}
