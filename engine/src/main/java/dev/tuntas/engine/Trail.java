package dev.tuntas.engine;

import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Signal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a saga must remember besides where it stands: since when, what was wanted of it, which
/// steps certainly did not happen, signals that came before their step, and effects that came too
/// late.
public record Trail(
    Instant acceptedAt,
    Instant stepSince,
    @Nullable Failure cancel,
    @Nullable Failure cause,
    boolean doubted,
    boolean ended,
    Set<String> skipped,
    List<Signal> mail,
    List<LateUndo> lateUndos) {

  /// An effect that came into being after the saga had turned back.
  public record LateUndo(String step, String externalId) {}

  static Trail from(Instant acceptedAt) {
    return new Trail(
        acceptedAt, acceptedAt, null, null, false, false, Set.of(), List.of(), List.of());
  }

  Trail entered(Instant now) {
    return new Trail(acceptedAt, now, cancel, cause, doubted, ended, skipped, mail, lateUndos);
  }

  Trail cancel(@Nullable Failure wanted) {
    return new Trail(
        acceptedAt, stepSince, wanted, cause, doubted, ended, skipped, mail, lateUndos);
  }

  Trail cause(Failure why) {
    return new Trail(acceptedAt, stepSince, cancel, why, doubted, ended, skipped, mail, lateUndos);
  }

  Trail withDoubt() {
    if (doubted) return this;
    return new Trail(acceptedAt, stepSince, cancel, cause, true, ended, skipped, mail, lateUndos);
  }

  Trail withEnd() {
    return new Trail(acceptedAt, stepSince, cancel, cause, doubted, true, skipped, mail, lateUndos);
  }

  Trail skipping(String step) {
    var more = new TreeSet<>(skipped);
    more.add(step);
    return new Trail(
        acceptedAt, stepSince, cancel, cause, doubted, ended, Set.copyOf(more), mail, lateUndos);
  }

  Trail mail(List<Signal> kept) {
    return new Trail(
        acceptedAt,
        stepSince,
        cancel,
        cause,
        doubted,
        ended,
        skipped,
        List.copyOf(kept),
        lateUndos);
  }

  Trail mailPlus(Signal signal) {
    var more = new ArrayList<>(mail);
    more.add(signal);
    return mail(more);
  }

  Trail lateUndos(List<LateUndo> undos) {
    return new Trail(
        acceptedAt, stepSince, cancel, cause, doubted, ended, skipped, mail, List.copyOf(undos));
  }
}
