package dev.tuntas.testkit;

import dev.tuntas.engine.ConsumerInbox;
import java.sql.Connection;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/// Remembers events in memory. It takes no part in the caller's transaction: what was noted stays
/// noted though that is rolled back.
public final class MemoryConsumerInbox implements ConsumerInbox {

  private record Event(String consumer, String eventId) {}

  private record Note(Event event, Instant at) {}

  private final Map<Event, Note> notes = new HashMap<>();
  private final TreeSet<Note> byTime =
      new TreeSet<>(
          Comparator.comparing(Note::at)
              .thenComparing(note -> note.event().consumer())
              .thenComparing(note -> note.event().eventId()));

  @Override
  public synchronized boolean firstTime(
      Connection callers, String consumer, String eventId, Instant at) {
    var note = new Note(new Event(consumer, eventId), at);
    return notes.putIfAbsent(note.event(), note) == null && byTime.add(note);
  }

  @Override
  public synchronized int purge(Instant before, int limit) {
    var old = byTime.stream().takeWhile(note -> note.at().isBefore(before)).limit(limit).toList();
    for (var note : old) {
      byTime.remove(note);
      notes.remove(note.event());
    }
    return old.size();
  }
}
