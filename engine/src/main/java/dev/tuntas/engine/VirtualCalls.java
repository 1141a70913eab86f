package dev.tuntas.engine;

import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes every call on a virtual thread of its own.
final class VirtualCalls implements Calls {

  private static final Logger log = LoggerFactory.getLogger(VirtualCalls.class);

  private final Set<UnderWay<?>> underWay = ConcurrentHashMap.newKeySet();

  @Override
  public <D> void make(Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
    var call = make.call();
    var begun = new UnderWay<>(call, report);
    underWay.add(begun);
    begun.thread =
        Thread.ofVirtual().name(call.sagaId(), 0).unstarted(() -> run(begun, action, data));
    begun.thread.start();
  }

  private <D> void run(UnderWay<D> call, Action<D> action, D data) {
    Outcome<D> outcome;
    try {
      outcome = action.perform(data, call.call);
    } catch (Exception surprise) {
      // What nobody planned for is doubt, never failure.
      log.atInfo()
          .addKeyValue("saga_id", call.call.sagaId())
          .log("saga {} step {}: {}", call.call.sagaId(), call.call.step(), surprise.toString());
      outcome = Outcome.unclear(surprise.toString());
    } catch (StackOverflowError | OutOfMemoryError | LinkageError | AssertionError error) {
      log.atError()
          .addKeyValue("saga_id", call.call.sagaId())
          .setCause(error)
          .log("saga {} step {}", call.call.sagaId(), call.call.step());
      outcome = Outcome.unclear(error.toString());
    }
    underWay.remove(call);
    // Authors' code is not always checked for null.
    call.answer(Objects.requireNonNullElse(outcome, Outcome.unclear("the step returned nothing")));
  }

  /// Ends the wait for calls that have taken longer than they may. To be called often.
  void expire() {
    long now = System.nanoTime();
    for (var calls = underWay.iterator(); calls.hasNext(); ) {
      var call = calls.next();
      if (now - call.begunAt < call.call.timeout().toNanos()) continue;
      calls.remove();
      call.expire();
    }
  }

  int underWay() {
    return underWay.size();
  }

  private static final class UnderWay<D> {

    final Call call;
    final Consumer<Outcome<D>> report;
    final long begunAt = System.nanoTime();
    final AtomicBoolean answered = new AtomicBoolean();
    volatile Thread thread = Thread.currentThread(); // replaced before it starts

    UnderWay(Call call, Consumer<Outcome<D>> report) {
      this.call = call;
      this.report = report;
    }

    void answer(Outcome<D> outcome) {
      if (answered.compareAndSet(false, true)) report.accept(outcome);
    }

    void expire() {
      if (!answered.compareAndSet(false, true)) return;
      thread.interrupt();
      report.accept(Outcome.unclear("no answer within " + call.timeout()));
    }
  }
}
