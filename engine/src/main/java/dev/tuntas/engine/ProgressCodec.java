package dev.tuntas.engine;

import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.Progress.Done;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Ready;
import dev.tuntas.engine.Progress.Sent;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.Progress.Undone;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Failure.Absent;
import dev.tuntas.saga.Failure.Barred;
import dev.tuntas.saga.Failure.Broken;
import dev.tuntas.saga.Failure.Cancelled;
import dev.tuntas.saga.Failure.Declined;
import dev.tuntas.saga.Failure.Expired;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Progress and trail as one line of text and back: `at=sent step=pay n=1 since=...`. Unknown names
/// are ignored, so that an older program can read what a newer one wrote.
public final class ProgressCodec {

  private static final int DETAIL_MAX = 500;

  private ProgressCodec() {}

  /// What a line holds.
  public record Line(Progress progress, Trail trail) {}

  public static String encode(Progress progress, Trail trail) {
    var tokens = new Tokens();
    put(tokens, progress);
    tokens.add("accepted", trail.acceptedAt().toEpochMilli());
    tokens.add("since", trail.stepSince().toEpochMilli());
    tokens.add("cancel", failure(trail.cancel()));
    tokens.add("cause", failure(trail.cause()));
    tokens.add("cause_step", trail.causeStep());
    if (trail.doubted()) tokens.add("doubted", 1);
    tokens.add("step_failed", millis(trail.marks().stepFailedAt()));
    tokens.add("step_doubted", millis(trail.marks().stepDoubtedAt()));
    if (trail.ended()) tokens.add("ended", 1);
    tokens.add("skipped", list(trail.skipped().stream().sorted().toList(), ProgressCodec::item));
    tokens.add("mail", list(trail.mail(), ProgressCodec::mail));
    tokens.add("late_undos", list(trail.lateUndos(), ProgressCodec::lateUndo));
    tokens.add("facts", list(trail.facts().entrySet(), ProgressCodec::fact));
    tokens.add("left_undone", list(trail.leftUndone(), ProgressCodec::item));
    tokens.add("unheard", list(trail.unheard(), ProgressCodec::mail));
    return tokens.toString();
  }

  public static Line decode(String line) {
    var tokens = Tokens.parse(line);
    var since = time(tokens.get("since"));
    var trail =
        new Trail(
            time(tokens.get("accepted")),
            since,
            failure(tokens.find("cancel")),
            turned(failure(tokens.find("cause")), tokens.find("cause_step")),
            new Trail.Marks(
                tokens.find("doubted") != null,
                timeOrNull(tokens.find("step_failed")),
                doubtedAt(tokens.find("step_doubted"), since),
                tokens.find("ended") != null),
            new Trail.Kept(
                Set.copyOf(items(tokens.find("skipped"), item -> item.get("v"))),
                items(tokens.find("mail"), ProgressCodec::mail),
                items(tokens.find("late_undos"), ProgressCodec::lateUndo),
                facts(tokens.find("facts")),
                Collections.unmodifiableSortedSet(
                    new TreeSet<>(items(tokens.find("left_undone"), item -> item.get("v")))),
                items(tokens.find("unheard"), ProgressCodec::mail)));
    return new Line(progress(tokens), trail);
  }

  private static Trail.@Nullable Turned turned(@Nullable Failure cause, @Nullable String step) {
    return cause == null ? null : new Trail.Turned(cause, step);
  }

  private static void put(Tokens to, Progress progress) {
    switch (progress) {
      case Ready(var step, int attempt, var at) ->
          to.add("at", "ready").add("step", step).add("n", attempt).add("time", at.toEpochMilli());
      case Sent(var step, int attempt, var at) ->
          to.add("at", "sent").add("step", step).add("n", attempt).add("time", at.toEpochMilli());
      case Asking(var step, int attempt, int asks, var askAt, var quietAt) ->
          to.add("at", "asking")
              .add("step", step)
              .add("n", attempt)
              .add("asks", asks)
              .add("ask", askAt == null ? null : askAt.toEpochMilli())
              .add("quiet", quietAt.toEpochMilli());
      case Undoing(var step, int attempt, var at, var late) ->
          to.add("at", "undoing")
              .add("step", step)
              .add("n", attempt)
              .add("time", at.toEpochMilli())
              .add("late", late);
      case Held(var before, var why) -> {
        var inner = new Tokens();
        put(inner, before);
        to.add("at", "held").add("why", failure(why)).add("before", inner);
      }
      case Done _ -> to.add("at", "done");
      case Undone _ -> to.add("at", "undone");
    }
  }

  private static Progress progress(Tokens from) {
    return switch (from.get("at")) {
      case "ready" -> new Ready(from.get("step"), number(from, "n"), time(from.get("time")));
      case "sent" -> new Sent(from.get("step"), number(from, "n"), time(from.get("time")));
      case "asking" -> {
        var ask = from.find("ask");
        yield new Asking(
            from.get("step"),
            number(from, "n"),
            number(from, "asks"),
            ask == null ? null : time(ask),
            time(from.get("quiet")));
      }
      case "undoing" ->
          new Undoing(
              from.get("step"), number(from, "n"), time(from.get("time")), from.find("late"));
      case "held" ->
          new Held(progress(Tokens.parse(from.get("before"))), requireFailure(from.get("why")));
      case "done" -> new Done();
      case "undone" -> new Undone();
      case String other -> throw new IllegalArgumentException("no progress is called " + other);
    };
  }

  private static @Nullable String failure(@Nullable Failure failure) {
    if (failure == null) return null;
    var kind =
        switch (failure) {
          case Declined _ -> "declined";
          case Barred _ -> "barred";
          case Unavailable _ -> "unavailable";
          case Absent _ -> "absent";
          case Expired _ -> "expired";
          case Cancelled _ -> "cancelled";
          case Broken _ -> "broken";
        };
    var tokens = new Tokens().add("kind", kind);
    tokens.add("code", failure.code()).add("detail", Text.cut(failure.detail(), DETAIL_MAX));
    if (failure instanceof Unavailable away) {
      tokens.add("retry_after", away.retryAfter());
      if (away.ours()) tokens.add("ours", "true");
    }
    return tokens.toString();
  }

  private static @Nullable Failure failure(@Nullable String text) {
    return text == null ? null : requireFailure(text);
  }

  private static Failure requireFailure(String text) {
    var tokens = Tokens.parse(text);
    var code = tokens.get("code");
    var detail = tokens.get("detail");
    return switch (tokens.get("kind")) {
      case "declined" -> new Declined(code, detail);
      case "barred" -> new Barred(code, detail);
      case "unavailable" -> {
        var wait = tokens.find("retry_after");
        boolean ours = tokens.find("ours") != null;
        yield new Unavailable(code, detail, wait == null ? null : Duration.parse(wait), ours);
      }
      case "absent" -> new Absent(code, detail);
      case "expired" -> new Expired(code, detail);
      case "cancelled" -> new Cancelled(code, detail);
      case "broken" -> new Broken(code, detail);
      case String other -> throw new IllegalArgumentException("no failure is called " + other);
    };
  }

  private static String item(String value) {
    return new Tokens().add("v", value).toString();
  }

  private static String mail(Signal signal) {
    return new Tokens()
        .add("source", signal.source())
        .add("id", signal.externalId())
        .add("name", signal.name())
        .add("body", signal.body())
        .toString();
  }

  private static Signal mail(Tokens from) {
    return new Signal(from.get("source"), from.get("id"), from.get("name"), from.get("body"));
  }

  private static String lateUndo(Trail.LateUndo undo) {
    return new Tokens().add("step", undo.step()).add("id", undo.externalId()).toString();
  }

  private static Trail.LateUndo lateUndo(Tokens from) {
    return new Trail.LateUndo(from.get("step"), from.get("id"));
  }

  private static String fact(Map.Entry<String, String> fact) {
    return new Tokens().add("name", fact.getKey()).add("v", fact.getValue()).toString();
  }

  private static SortedMap<String, String> facts(@Nullable String text) {
    if (text == null) return Collections.emptySortedMap();
    var facts = new TreeMap<String, String>();
    for (var item : items(text, it -> Map.entry(it.get("name"), it.get("v")))) {
      facts.put(item.getKey(), item.getValue());
    }
    return Collections.unmodifiableSortedMap(facts);
  }

  private static <T> @Nullable String list(Collection<T> items, Function<T, String> write) {
    if (items.isEmpty()) return null;
    return items.stream().map(write).collect(Collectors.joining(";"));
  }

  private static <T> List<T> items(@Nullable String text, Function<Tokens, T> read) {
    if (text == null) return List.of();
    var items = new ArrayList<T>();
    for (var item : text.split(";")) items.add(read.apply(Tokens.parse(item)));
    return List.copyOf(items);
  }

  private static int number(Tokens from, String name) {
    return Integer.parseInt(from.get(name));
  }

  /// Older programs wrote only that there was doubt.
  private static @Nullable Instant doubtedAt(@Nullable String millis, Instant since) {
    return "1".equals(millis) ? since : timeOrNull(millis);
  }

  private static @Nullable Long millis(@Nullable Instant time) {
    return time == null ? null : time.toEpochMilli();
  }

  private static @Nullable Instant timeOrNull(@Nullable String millis) {
    return millis == null ? null : time(millis);
  }

  private static Instant time(String millis) {
    return Instant.ofEpochMilli(Long.parseLong(millis));
  }
}
