package dev.tuntas.engine;

import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Signal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a saga must remember besides where it stands: since when, why it turns back or should, and
/// what it keeps for later.
///
/// @param cancel somebody wants it undone, and that was not decided yet
/// @param turned why it turned back
public record Trail(
    Instant acceptedAt,
    Instant stepSince,
    @Nullable Failure cancel,
    @Nullable Turned turned,
    Marks marks,
    Kept kept) {

  /// Why a saga turned back.
  ///
  /// @param step the step that failed; null if somebody cancelled, or an earlier build decided
  public record Turned(Failure cause, @Nullable String step) {}

  /// What once was true.
  ///
  /// @param doubted at some time nobody knew
  /// @param stepFailedAt when an attempt of the current step first failed, if one did
  /// @param stepDoubtedAt when an attempt of the current step was first in doubt, if one was: even
  ///   if nobody finds a trace of it, it may still arrive, so turning back undoes it too
  /// @param ended it was undone before, and its end was announced
  public record Marks(
      boolean doubted,
      @Nullable Instant stepFailedAt,
      @Nullable Instant stepDoubtedAt,
      boolean ended) {
    static final Marks NONE = new Marks(false, null, null, false);
  }

  /// What is kept for later.
  ///
  /// @param skipped steps that certainly did not happen
  /// @param mail signals that came before their step was ready for them
  /// @param lateUndos effects that came into being after the saga had turned back
  /// @param facts what was learned beside the steps: see [dev.tuntas.saga.Late.Note]
  /// @param leftUndone steps whose undo a person gave up
  /// @param unheard signals that came while the saga's data could not be read
  public record Kept(
      Set<String> skipped,
      List<Signal> mail,
      List<LateUndo> lateUndos,
      SortedMap<String, String> facts,
      SortedSet<String> leftUndone,
      List<Signal> unheard) {

    static final Kept NOTHING =
        new Kept(
            Set.of(),
            List.of(),
            List.of(),
            Collections.emptySortedMap(),
            Collections.emptySortedSet(),
            List.of());
  }

  /// An effect that came too late, and the signal that told of it.
  public record LateUndo(String step, String externalId) {}

  static Trail from(Instant acceptedAt) {
    return new Trail(acceptedAt, acceptedAt, null, null, Marks.NONE, Kept.NOTHING);
  }

  /// A step is entered: nothing is known about it yet.
  Trail entered(Instant now) {
    var fresh = new Marks(marks.doubted, null, null, marks.ended);
    return new Trail(acceptedAt, now, cancel, turned, fresh, kept);
  }

  /// The clocks of the current step start again.
  Trail restarted(Instant now) {
    var again = new Marks(marks.doubted, null, stepDoubted() ? now : null, marks.ended);
    return new Trail(acceptedAt, now, cancel, turned, again, kept);
  }

  Trail cancel(@Nullable Failure wanted) {
    return new Trail(acceptedAt, stepSince, wanted, turned, marks, kept);
  }

  Trail turned(Failure why, @Nullable String step) {
    return new Trail(acceptedAt, stepSince, cancel, new Turned(why, step), marks, kept);
  }

  /// Why it turned back, if it did.
  public @Nullable Failure cause() {
    return turned == null ? null : turned.cause;
  }

  /// The step whose failure turned it back, if one did.
  public @Nullable String causeStep() {
    return turned == null ? null : turned.step;
  }

  Trail withFailure(Instant now) {
    if (marks.stepFailedAt != null) return this;
    return marks(new Marks(marks.doubted, now, marks.stepDoubtedAt, marks.ended));
  }

  Trail withDoubt(Instant now) {
    if (stepDoubted()) return this;
    return marks(new Marks(true, marks.stepFailedAt, now, marks.ended));
  }

  Trail withEnd() {
    return marks(new Marks(marks.doubted, marks.stepFailedAt, marks.stepDoubtedAt, true));
  }

  private Trail marks(Marks now) {
    return new Trail(acceptedAt, stepSince, cancel, turned, now, kept);
  }

  Trail skipping(String step) {
    var more = new TreeSet<>(kept.skipped);
    more.add(step);
    return kept(
        new Kept(
            Set.copyOf(more),
            kept.mail,
            kept.lateUndos,
            kept.facts,
            kept.leftUndone,
            kept.unheard));
  }

  Trail mail(List<Signal> now) {
    return kept(
        new Kept(
            kept.skipped,
            List.copyOf(now),
            kept.lateUndos,
            kept.facts,
            kept.leftUndone,
            kept.unheard));
  }

  Trail mailPlus(Signal signal) {
    var more = new ArrayList<>(kept.mail);
    more.add(signal);
    return mail(more);
  }

  Trail lateUndos(List<LateUndo> now) {
    return kept(
        new Kept(
            kept.skipped, kept.mail, List.copyOf(now), kept.facts, kept.leftUndone, kept.unheard));
  }

  Trail fact(String name, String value) {
    var more = new TreeMap<>(kept.facts);
    more.put(name, value);
    return kept(
        new Kept(
            kept.skipped,
            kept.mail,
            kept.lateUndos,
            Collections.unmodifiableSortedMap(more),
            kept.leftUndone,
            kept.unheard));
  }

  /// A person gave up undoing this step.
  Trail leaving(String step) {
    var more = new TreeSet<>(kept.leftUndone);
    more.add(step);
    return kept(
        new Kept(
            kept.skipped,
            kept.mail,
            kept.lateUndos,
            kept.facts,
            Collections.unmodifiableSortedSet(more),
            kept.unheard));
  }

  Trail unheard(List<Signal> now) {
    return kept(
        new Kept(
            kept.skipped,
            kept.mail,
            kept.lateUndos,
            kept.facts,
            kept.leftUndone,
            List.copyOf(now)));
  }

  private Trail kept(Kept now) {
    return new Trail(acceptedAt, stepSince, cancel, turned, marks, now);
  }

  public boolean doubted() {
    return marks.doubted;
  }

  boolean stepDoubted() {
    return marks.stepDoubtedAt != null;
  }

  /// Since when there is doubt about the step; since it began, if it only waits.
  Instant stepDoubtedAt() {
    return marks.stepDoubtedAt == null ? stepSince : marks.stepDoubtedAt;
  }

  /// Since when the step has failed; since it began, if it has not.
  Instant stepFailedAt() {
    return marks.stepFailedAt == null ? stepSince : marks.stepFailedAt;
  }

  boolean ended() {
    return marks.ended;
  }

  Set<String> skipped() {
    return kept.skipped;
  }

  List<Signal> mail() {
    return kept.mail;
  }

  Trail unheardPlus(Signal signal) {
    var more = new ArrayList<>(kept.unheard);
    more.add(signal);
    return unheard(more);
  }

  List<Signal> unheard() {
    return kept.unheard;
  }

  List<LateUndo> lateUndos() {
    return kept.lateUndos;
  }

  SortedSet<String> leftUndone() {
    return kept.leftUndone;
  }

  /// What was learned beside the steps.
  public SortedMap<String, String> facts() {
    return kept.facts;
  }
}
