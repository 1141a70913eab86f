package dev.tuntas.bench.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.json.JsonMapper;

/// All that customers asked and were told: kept on their side, apart from the server, and written
/// to a file for whoever has to find out what went wrong.
public final class Journal implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final ConcurrentLinkedQueue<Story> stories = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();
  private final Writer file;

  public Journal(Path path) throws IOException {
    this.file = Files.newBufferedWriter(path);
  }

  public Story open(Errand errand) {
    var story = new Story(errand);
    stories.add(story);
    return story;
  }

  void asked(Errand errand, Told.Asked what) {
    requests.incrementAndGet();
    write(line(errand, what));
  }

  /// Notes an answer, for the file and for the story.
  void told(Story story, Told answer) {
    story.add(answer);
    var line = line(story.errand(), answer.asked());
    line.put("status", answer.status());
    line.put("answer", answer.json().isMissingNode() ? answer.body() : answer.json());
    write(line);
  }

  /// Notes that no answer came.
  void silence(Errand errand, Told.Asked what, String why) {
    var line = line(errand, what);
    line.put("silence", why);
    write(line);
  }

  private static Map<String, Object> line(Errand errand, Told.Asked what) {
    var line = new LinkedHashMap<String, Object>();
    line.put("at", Instant.now().toString());
    line.put("errand", errand.no());
    line.put("client", errand.client());
    line.put("key", errand.key());
    line.put("asked", what.name());
    return line;
  }

  private synchronized void write(Map<String, Object> line) {
    try {
      file.write(JSON.writeValueAsString(line) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("write the journal", e);
    }
  }

  public List<Story> stories() {
    return List.copyOf(stories);
  }

  long requests() {
    return requests.get();
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
