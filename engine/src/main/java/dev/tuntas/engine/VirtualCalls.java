package dev.tuntas.engine;

import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes calls on virtual threads, one for each saga that calls. Where a saga's next call follows
/// from its last answer or from its start on the same thread, that thread makes it: while there is
/// little to do, most of the time would go into waking others.
final class VirtualCalls implements Calls {

  private static final Logger log = LoggerFactory.getLogger(VirtualCalls.class);

  /// Bound while an answer is heard, and while a task is done.
  private final ScopedValue<Errand> errand = ScopedValue.newInstance();

  private final Set<UnderWay<?>> underWay = ConcurrentHashMap.newKeySet();
  private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

  @Override
  public <D> void make(Next.Make make, Action<D> action, D data, Consumer<Outcome<D>> report) {
    var call = new UnderWay<>(make.call(), action, data, report);
    underWay.add(call);
    try {
      if (errand.isBound() && errand.get().goesOnWith(call)) return;
      begin(new Errand(make.call().sagaId()), call);
    } catch (RuntimeException | Error notMade) {
      underWay.remove(call);
      throw notMade;
    }
  }

  /// Has a task done by a thread that holds no locks and makes the call that comes of it: by this
  /// one if it is about to have heard an answer, by a new one else.
  void afterwards(Runnable task) {
    if (errand.isBound() && errand.get().takes(task)) return;
    var own = new Errand("");
    own.takes(task);
    begin(own, null);
  }

  /// Whoever happens to begin a thread has nothing to do with the calls that it makes: what is
  /// bound to that thread, a user or a trace, stays with it.
  private void begin(Errand own, @Nullable UnderWay<?> first) {
    var thread =
        Thread.ofVirtual()
            .name(own.sagaId)
            .inheritInheritableThreadLocals(false)
            .unstarted(() -> run(own, first));
    thread.setContextClassLoader(loader);
    thread.start();
  }

  private void run(Errand own, @Nullable UnderWay<?> first) {
    if (first == null) ScopedValue.where(errand, own).run(own::doTask);
    for (var call = first == null ? own.next() : first; call != null; call = own.next()) {
      var made = call;
      made.make();
      underWay.remove(made);
      ScopedValue.where(errand, own).run(() -> own.hear(made));
    }
  }

  /// Ends the wait for calls that have taken longer than they may. To be called often.
  void expire() {
    long now = System.nanoTime();
    for (var calls = underWay.iterator(); calls.hasNext(); ) {
      var call = calls.next();
      if (now - call.begunAt < call.call.timeout().toNanos()) continue;
      call.expire();
      calls.remove();
    }
  }

  int underWay() {
    return underWay.size();
  }

  /// What a thread does before a call, and between a call and the next of the same saga.
  private static final class Errand {

    /// Empty until it has a call.
    private String sagaId;

    private boolean hearing;
    private @Nullable Runnable task;
    private @Nullable UnderWay<?> next;

    Errand(String sagaId) {
      this.sagaId = sagaId;
    }

    void hear(UnderWay<?> call) {
      hearing = true;
      attempt(call::answer);
      hearing = false;
      doTask();
    }

    void doTask() {
      if (task != null) attempt(task);
      task = null;
    }

    /// What goes wrong here must not keep the rest from being done. What interrupted something must
    /// not interrupt what follows.
    private void attempt(Runnable part) {
      try {
        part.run();
      } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError bug) {
        log.atError()
            .addKeyValue("saga_id", sagaId)
            .setCause(bug)
            .log("saga {}: could not go on", sagaId);
      }
      Thread.interrupted();
    }

    boolean takes(Runnable wanted) {
      if (task != null) return false;
      task = wanted;
      return true;
    }

    /// Not before the task, which may have to wait for the store: a call begins when it is made.
    boolean goesOnWith(UnderWay<?> call) {
      if (hearing || next != null) return false;
      if (sagaId.isEmpty()) begins(call);
      if (!call.call.sagaId().equals(sagaId)) return false;
      next = call;
      return true;
    }

    private void begins(UnderWay<?> call) {
      sagaId = call.call.sagaId();
      Thread.currentThread().setName(sagaId);
    }

    @Nullable UnderWay<?> next() {
      var call = next;
      next = null;
      return call;
    }
  }

  private static final class UnderWay<D> {

    final Call call;
    private final Action<D> action;
    private final D data;
    private final Consumer<Outcome<D>> report;
    final long begunAt = System.nanoTime();
    private final AtomicBoolean answered = new AtomicBoolean();
    private Outcome<D> outcome = Outcome.unclearHere("it was not made");
    private volatile @Nullable Thread thread;

    UnderWay(Call call, Action<D> action, D data, Consumer<Outcome<D>> report) {
      this.call = call;
      this.action = action;
      this.data = data;
      this.report = report;
    }

    /// Not if it was given up while it waited for its thread.
    void make() {
      thread = Thread.currentThread();
      if (answered.get()) return;
      try {
        // Authors' code is not always checked for null.
        outcome =
            Objects.requireNonNullElse(
                action.perform(data, call), Outcome.unclear("the step returned nothing"));
      } catch (Exception surprise) {
        // What nobody planned for is doubt, never failure.
        log.atInfo()
            .addKeyValue("saga_id", call.sagaId())
            .log("saga {} step {}: {}", call.sagaId(), call.step(), surprise.toString());
        outcome =
            surprise instanceof StoreException
                ? Outcome.unclearHere(surprise.toString())
                : Outcome.unclear(surprise.toString());
      } catch (LinkageError | AssertionError | VirtualMachineError error) {
        log.atError()
            .addKeyValue("saga_id", call.sagaId())
            .setCause(error)
            .log("saga {} step {}", call.sagaId(), call.step());
        outcome = Outcome.unclearHere(error.toString());
      }
    }

    void answer() {
      if (answered.compareAndSet(false, true)) report.accept(outcome);
    }

    void expire() {
      if (answered.get()) return;
      var tooLate = Outcome.<D>unclear("no answer within " + call.timeout());
      if (!answered.compareAndSet(false, true)) return;
      var making = thread;
      if (making != null) making.interrupt();
      report.accept(tooLate);
    }
  }
}
