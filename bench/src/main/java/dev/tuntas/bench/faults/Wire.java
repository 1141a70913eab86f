package dev.tuntas.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A wire to a server on loopback that can be cut, held up, slowed down, and led elsewhere.
final class Wire implements AutoCloseable {

  private static final int BUFFER = 64 * 1024;
  private static final int CHUNKS_MAX = 1_000;

  /// What was read, and when it may arrive. An empty one is the last.
  private record Chunk(byte[] bytes, long arrivesAt) {}

  private static final Chunk LAST = new Chunk(new byte[0], 0);

  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition flows = lock.newCondition();
  private volatile int target;
  private volatile boolean cut;
  private volatile boolean stalled;
  private volatile Duration delay = Duration.ZERO;

  /// @param target the port of the server
  Wire(int target) {
    this.target = target;
    try {
      this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("open a port", e);
    }
    Thread.ofVirtual().name("wire to " + target).start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /// Ends all connections and lets nobody in.
  void cut() {
    cut = true;
    drop();
  }

  /// Ends all connections; new ones may come.
  void drop() {
    for (var socket : sockets) close(socket);
  }

  /// Nothing arrives any more, and nobody is told.
  void stall() {
    stalled = true;
  }

  /// Everything takes so much longer to arrive, in each direction.
  void slow(Duration by) {
    delay = by;
  }

  /// New connections go to another server.
  void lead(int to) {
    target = to;
  }

  /// All is well again. What was held up arrives.
  void repair() {
    lock.lock();
    try {
      cut = false;
      stalled = false;
      delay = Duration.ZERO;
      flows.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException _) {
        // closed, or the server is not there
      }
    }
  }

  private void connect(Socket client) throws IOException {
    if (cut) {
      close(client);
      return;
    }
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.add(client);
      sockets.add(server);
      carry(client, server);
      carry(server, client);
      if (cut) drop();
    } catch (IOException e) {
      close(client);
      throw e;
    }
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>(CHUNKS_MAX);
    Thread.startVirtualThread(() -> read(from, chunks));
    Thread.startVirtualThread(() -> write(chunks, from, to));
  }

  private void read(Socket from, BlockingQueue<Chunk> chunks) {
    try {
      var in = from.getInputStream();
      var buffer = new byte[BUFFER];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        var bytes = Arrays.copyOf(buffer, n);
        chunks.put(new Chunk(bytes, System.nanoTime() + delay.toNanos()));
      }
    } catch (IOException _) {
      // one side hung up
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      chunks.offer(LAST);
    }
  }

  private void write(BlockingQueue<Chunk> chunks, Socket from, Socket to) {
    try {
      var out = to.getOutputStream();
      for (var chunk = chunks.take(); chunk.bytes.length > 0; chunk = chunks.take()) {
        long early = chunk.arrivesAt - System.nanoTime();
        if (early > 0) Thread.sleep(Duration.ofNanos(early));
        awaitFlow();
        out.write(chunk.bytes);
      }
    } catch (IOException _) {
      // one side hung up
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      close(from);
      close(to);
    }
  }

  private void awaitFlow() throws InterruptedException {
    if (!stalled) return;
    lock.lock();
    try {
      while (stalled) flows.await();
    } finally {
      lock.unlock();
    }
  }

  private void close(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException _) {
      // it is gone
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException _) {
      // it is gone
    }
    repair();
    drop();
  }
}
