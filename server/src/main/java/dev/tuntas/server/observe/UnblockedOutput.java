package dev.tuntas.server.observe;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/// An output that never keeps anybody waiting who writes to it. A thread of its own writes on.
/// While that thread is held up (nobody reads the pipe, somebody stopped the terminal), so many
/// bytes are kept, and whatever comes after them is dropped until all of them are written. Lines
/// that are dropped are counted, and told when the output flows again.
final class UnblockedOutput extends OutputStream {

  private final OutputStream out;
  private final int bytesMax;
  private final LongConsumer teller;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Condition emptied = lock.newCondition();
  private final Queue<byte[]> kept = new ArrayDeque<>();
  private long bytes;
  private boolean isFull;
  private long droppedInAll;
  private long untold;

  /// @param bytesMax how much is kept; more only if a single piece is larger
  /// @param teller hears, when the output flows again, how many lines were dropped meanwhile
  UnblockedOutput(String name, OutputStream out, int bytesMax, LongConsumer teller) {
    this.out = out;
    this.bytesMax = bytesMax;
    this.teller = teller;
    // A virtual thread would keep its carrier for as long as it is held up.
    Thread.ofPlatform().daemon().name("tuntas-" + name).start(this::writeOn);
  }

  @Override
  public void write(int character) {
    write(new byte[] {(byte) character}, 0, 1);
  }

  @Override
  public void write(byte[] buffer, int offset, int length) {
    if (length == 0) return;
    lock.lock();
    try {
      isFull |= !kept.isEmpty() && bytes + length > bytesMax;
      if (isFull) {
        drop(buffer, offset, length);
        return;
      }
      kept.add(Arrays.copyOfRange(buffer, offset, offset + length));
      bytes += length;
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  private void drop(byte[] buffer, int offset, int length) {
    long lines = 0;
    for (int i = offset; i < offset + length; i++) if (buffer[i] == '\n') lines++;
    droppedInAll += lines;
    untold += lines;
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private void writeOn() {
    while (true) {
      var piece = first();
      boolean isWritten = written(piece);
      long toTell = removeFirst(piece, isWritten);
      if (toTell > 0) tell(toTell);
    }
  }

  private void tell(long lines) {
    try {
      teller.accept(lines);
    } catch (RuntimeException | Error _) {
      // there is nobody else to tell; this thread must go on
    }
  }

  private byte[] first() {
    lock.lock();
    try {
      while (kept.isEmpty()) arrived.awaitUninterruptibly();
      return kept.element();
    } finally {
      lock.unlock();
    }
  }

  private boolean written(byte[] piece) {
    try {
      out.write(piece);
      return true;
    } catch (IOException | RuntimeException | Error _) {
      return false; // the disk is full, the reader has gone, or there is no memory left
    }
  }

  /// The number of lines to tell of, if they can be told now.
  private long removeFirst(byte[] piece, boolean isWritten) {
    lock.lock();
    try {
      kept.remove();
      bytes -= piece.length;
      if (!isWritten) drop(piece, 0, piece.length);
      if (!kept.isEmpty()) return 0;
      isFull = false;
      emptied.signalAll();
      if (!isWritten) return 0;
      long toTell = untold;
      untold = 0;
      return toTell;
    } finally {
      lock.unlock();
    }
  }

  /// How many lines were dropped since the start.
  long dropped() {
    lock.lock();
    try {
      return droppedInAll;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until all that was kept is written, but not for long.
  void drain(Duration atMost) {
    lock.lock();
    try {
      long left = atMost.toNanos();
      while (!kept.isEmpty() && left > 0) left = emptied.awaitNanos(left);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
