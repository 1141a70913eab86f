package dev.tuntas.payment;

import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Lets requests move one part at a time: each stops before the bank does something about it, and
/// again when the bank has done it. Only one moves at any time.
final class Gates {

  private final ThreadLocal<Run> current = new ThreadLocal<>();
  private volatile boolean open;

  Gates(ScriptedBank bank) {
    bank.atEveryCall(this::stop, this::answered);
  }

  static Tables tables() {
    return Tables.inMemory(Cashier.TABLES);
  }

  /// One request under way.
  final class Run {
    private final Semaphore go = new Semaphore(0);
    private final Semaphore stopped = new Semaphore(0);
    private final CompletableFuture<Outcome<Receipt>> answer = new CompletableFuture<>();
    private boolean loses;

    /// Goes on to the next stop, or to the end.
    void move() {
      if (answer.isDone()) return;
      go.release();
      stopped.acquireUninterruptibly();
    }

    void finish() {
      while (!answer.isDone()) move();
    }

    Outcome<Receipt> answer() {
      return answer.join();
    }

    private void run(Supplier<Outcome<Receipt>> request) {
      current.set(this);
      go.acquireUninterruptibly();
      try {
        answer.complete(request.get());
      } catch (Throwable e) {
        answer.completeExceptionally(e);
      } finally {
        stopped.release();
      }
    }
  }

  /// A request that has not moved yet.
  ///
  /// @param loses whether the bank's first answer to it is lost
  Run start(Supplier<Outcome<Receipt>> request, boolean loses) {
    var run = new Run();
    run.loses = loses;
    Thread.ofVirtual().start(() -> run.run(request));
    return run;
  }

  /// From now on nothing stops.
  void open() {
    open = true;
  }

  private void stop() {
    var run = current.get();
    if (open || run == null) return;
    run.stopped.release();
    run.go.acquireUninterruptibly();
  }

  private Outcome<Receipt> answered(Outcome<Receipt> answer) {
    stop();
    var run = current.get();
    if (run == null || !run.loses) return answer;
    run.loses = false;
    return Outcome.unclear("connection lost");
  }
}
