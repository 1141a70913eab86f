package dev.tuntas.crashtest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Services outside the processes that are killed. They honour no keys: every request to do
/// something is one more effect. They can be asked whether an effect is there. Their answers take
/// as long as those of others do, so that most sagas are killed between an effect and its answer,
/// and processors are left for those who start.
final class Ledger implements AutoCloseable {

  private static final int ANSWER_MILLIS_MAX = 60;

  private final ServerSocket server;
  private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
  private final Map<String, Long> lastSeen = new ConcurrentHashMap<>();
  private final AtomicInteger clients = new AtomicInteger();

  Ledger() throws IOException {
    server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  int effects(String key) {
    var count = effects.get(key);
    return count == null ? 0 : count.get();
  }

  /// Whether anything was heard about a saga since that moment of the monotonic clock.
  boolean heardOf(String saga, long since) {
    var last = lastSeen.get(saga);
    return last != null && last - since > 0;
  }

  /// Whether somebody is still connected, or was and has left something to read.
  boolean isCalled() {
    return clients.get() > 0;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        clients.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        var in =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))) {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        var answer = answer(line) + "\n";
        var takes = ThreadLocalRandom.current().nextInt(ANSWER_MILLIS_MAX * 1_000_000);
        LockSupport.parkNanos(takes);
        client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException killed) {
      // its process is gone
    } finally {
      clients.decrementAndGet();
    }
  }

  private String answer(String line) {
    var words = line.split(" ");
    var key = words[1];
    lastSeen.put(key.substring(key.indexOf(':') + 1), System.nanoTime());
    if (words[0].equals("FIND")) return effects(key) > 0 ? "YES" : "NO";
    effects.computeIfAbsent(key, _ -> new AtomicInteger()).incrementAndGet();
    return "OK";
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
