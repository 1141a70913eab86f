package dev.tuntas.bus;

import dev.tuntas.bus.Attempts.Ending;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A bus inside one process that forgets everything with it: for tests.
public final class MemoryBus implements Bus {

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Queue> queues = new HashMap<>();
  private final List<Listening> subscriptions = new CopyOnWriteArrayList<>();
  private final Attempts attempts;
  private final BusWatch watch;
  private volatile boolean away;

  public MemoryBus(Attempts.Patience patience, BusWatch watch) {
    this.attempts = new Attempts(patience, watch);
    this.watch = watch;
  }

  /// From now on the broker does, or does not, answer.
  public void away(boolean isAway) {
    away = isAway;
  }

  public List<Message> deadLetters(String queue) {
    lock.lock();
    try {
      var known = queues.get(queue);
      return known == null ? List.of() : List.copyOf(known.dead);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void send(List<Message> messages) throws BusAwayException, UnsentException {
    ping();
    var unheard = new LinkedHashMap<String, String>();
    lock.lock();
    try {
      for (var message : messages) {
        boolean heard = false;
        for (var queue : queues.values()) heard |= queue.offer(message);
        if (!heard && message.isCommand()) unheard.put(message.id(), "nobody listens");
      }
    } finally {
      lock.unlock();
    }
    watch.published(messages.size() - unheard.size());
    if (!unheard.isEmpty()) throw new UnsentException(unheard, Set.of());
  }

  @Override
  public void prepare(Set<String> kinds) throws BusAwayException {
    ping();
  }

  @Override
  public void ping() throws BusAwayException {
    if (away) throw BusAwayException.unreached("the broker is away", null);
  }

  @Override
  public Subscription listen(String queue, Set<String> kinds, Handler handler) {
    return begin(new Listening(declare(queue, kinds), handler, null));
  }

  @Override
  public Subscription overhear(String queue, Set<String> kinds, Consumer<List<Message>> hearer) {
    return begin(new Listening(declare(queue, kinds), null, hearer));
  }

  @Override
  public Subscription collect(String queue, Set<String> kinds, Consumer<DeadMessage> keeper) {
    var collected = declare(queue + DeadLetter.SUFFIX, Set.of());
    return begin(new Listening(collected, message -> keeper.accept(dead(queue, message)), null));
  }

  private static DeadMessage dead(String queue, Message it) {
    return DeadMessage.of(
        queue, it.id(), it.kind(), it.key(), it.body(), it.headers(), it.isCommand());
  }

  private Listening begin(Listening listening) {
    subscriptions.add(listening);
    listening.thread.start();
    return listening;
  }

  private Queue declare(String name, Set<String> kinds) {
    lock.lock();
    try {
      var queue = queues.computeIfAbsent(name, it -> new Queue(it, lock.newCondition()));
      queue.kinds.addAll(kinds);
      return queue;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    for (var subscription : subscriptions) subscription.close();
  }

  /// Guarded by the lock of the bus.
  private static final class Queue {

    final String name;
    final Set<String> kinds = new TreeSet<>();
    final Deque<Message> waiting = new ArrayDeque<>();
    final List<Message> dead = new ArrayList<>();
    final Condition changed;

    /// Whether somebody works on its head: one at a time, so that the order is kept.
    boolean busy;

    Queue(String name, Condition changed) {
      this.name = name;
      this.changed = changed;
    }

    boolean offer(Message message) {
      if (!kinds.contains(message.kind())) return false;
      waiting.add(message);
      changed.signalAll();
      return true;
    }
  }

  private final class Listening implements Subscription {

    private final Queue queue;
    private final @Nullable Handler handler;
    private final @Nullable Consumer<List<Message>> hearer;
    private final Thread thread;
    private boolean paused;
    private boolean ended;

    Listening(Queue queue, @Nullable Handler handler, @Nullable Consumer<List<Message>> hearer) {
      this.queue = queue;
      this.handler = handler;
      this.hearer = hearer;
      this.thread = Thread.ofVirtual().name("bus-" + queue.name).unstarted(this::run);
    }

    private void run() {
      lock.lock();
      try {
        while (!ended) {
          if (paused || away || queue.busy || queue.waiting.isEmpty()) await(null);
          else takeHead();
        }
      } finally {
        lock.unlock();
      }
    }

    private boolean await(@Nullable Duration atMost) {
      // Now and then it looks whether the broker is back.
      long nanos = (atMost == null ? Duration.ofMillis(20) : atMost).toNanos();
      try {
        while (nanos > 0 && !ended) {
          nanos = queue.changed.awaitNanos(nanos);
          if (atMost == null) break;
        }
      } catch (InterruptedException _) {
        ended = true;
      }
      return !ended;
    }

    private void takeHead() {
      queue.busy = true;
      try {
        if (handler != null) take(handler);
        else if (hearer != null) tell(hearer);
      } finally {
        queue.busy = false;
        queue.changed.signalAll();
      }
    }

    private void take(Handler to) {
      var message = queue.waiting.getFirst();
      switch (unlocked(() -> attempts.bring(message, to, this::rest))) {
        case Ending.Taken() -> queue.waiting.removeFirst();
        case Ending.Dead(var reason, var tries) -> {
          queue.waiting.removeFirst();
          var dead = dead(message, reason, tries);
          queue.dead.add(dead);
          declare(queue.name + DeadLetter.SUFFIX, Set.of()).waiting.add(dead);
          attempts.buried();
        }
        case Ending.Waits() -> await(attempts.pauseMax());
      }
    }

    private void tell(Consumer<List<Message>> to) {
      var hints = List.copyOf(queue.waiting);
      unlocked(
          () -> {
            attempts.tell(hints, to);
            return hints;
          });
      for (int i = 0; i < hints.size(); i++) queue.waiting.removeFirst();
    }

    private <T> T unlocked(Supplier<T> work) {
      lock.unlock();
      try {
        return work.get();
      } finally {
        lock.lock();
      }
    }

    private boolean rest(Duration pause) {
      lock.lock();
      try {
        return await(pause);
      } finally {
        lock.unlock();
      }
    }

    private Message dead(Message message, String reason, int tries) {
      var headers = new HashMap<>(message.headers());
      headers.put(DeadLetter.REASON, reason);
      headers.put(DeadLetter.QUEUE, queue.name);
      headers.put(DeadLetter.ATTEMPTS, Integer.toString(tries));
      return new Message(
          message.id(),
          message.kind(),
          message.key(),
          message.body(),
          headers,
          message.isCommand());
    }

    @Override
    public void pause() {
      set(true, ended);
    }

    @Override
    public void resume() {
      set(false, ended);
    }

    @Override
    public void close() {
      set(paused, true);
      subscriptions.remove(this);
      try {
        thread.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    private void set(boolean isPaused, boolean isEnded) {
      lock.lock();
      try {
        paused = isPaused;
        ended = isEnded;
        queue.changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
