package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Tables.Work;
import dev.tuntas.testkit.threads.Planned;
import dev.tuntas.testkit.threads.Scenario;
import dev.tuntas.testkit.threads.Schedule;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Threads whose transactions share commits, on a database that is slow, locked and lost now and
/// then. Who is told that it was done finds it done, once; who is told that it was not, does not.
public final class SharedCommitsThreads implements Scenario {

  private static final int CLIENTS = 4;
  private static final int JOBS = 3;
  private static final int TROUBLES_MAX = 6;

  private final Set<String> committed = new HashSet<>();
  private final List<String> pending = new ArrayList<>();

  @Override
  public void run(RandomGenerator random) throws Exception {
    int side = 1 + random.nextInt(2);
    var commits = new SharedCommits("test", side, new Database(random));
    var clients = new ArrayList<Thread>();
    for (int i = 0; i < CLIENTS; i++) {
      var name = "client-" + i;
      clients.add(Thread.ofPlatform().name(name).start(() -> write(commits, name)));
    }
    for (var client : clients) client.join();
    Schedule.calm();
    commits.close();
  }

  private void write(SharedCommits commits, String name) {
    for (int i = 0; i < JOBS; i++) {
      var job = name + "/" + i;
      try {
        commits.write(job, add(job));
        require(job, true);
      } catch (StoreException failed) {
        if (failed.kind() != Kind.UNKNOWN) require(job, false);
      } catch (Trouble planned) {
        require(job, false);
      }
    }
  }

  private Work<String> add(String job) {
    return _ -> {
      pending.add(job);
      return job;
    };
  }

  private void require(String job, boolean is) {
    synchronized (committed) {
      if (committed.contains(job) != is) {
        throw new AssertionError(job + (is ? " was lost" : " was done, and refused"));
      }
    }
  }

  /// One transaction at a time.
  private final class Database implements SharedCommits.Transactions {

    private final RandomGenerator random;
    private int troubles;

    Database(RandomGenerator random) {
      this.random = random;
    }

    @Override
    public synchronized <T> T transact(String attempted, Work<T> work) {
      pending.clear();
      int how = troubles < TROUBLES_MAX ? random.nextInt(8) : 7;
      if (how < 4) troubles += 1;
      sleep(random.nextInt(4) == 0 ? random.nextInt(300) : 0);
      if (how == 0) throw new StoreException(Kind.BLOCKED, "planned", null);
      if (how == 1) throw new StoreException(Kind.NOT_DONE, "planned", null);
      if (how == 2) throw new Trouble();
      T result;
      try {
        result = work.run(session());
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      synchronized (committed) {
        for (var job : pending) {
          if (!committed.add(job)) throw new AssertionError(job + " was done twice");
        }
      }
      if (how == 3) throw new StoreException(Kind.UNKNOWN, "planned", null);
      return result;
    }

    @Override
    public StoreException failure(String attempted, SQLException cause) {
      return new StoreException(Kind.NOT_DONE, attempted, cause);
    }

    private static void sleep(long millis) {
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /// Savepoints, of which nothing is undone here.
  private static Session session() {
    return Session.lent(played(Connection.class), Dialect.SQLITE);
  }

  private static <T> T played(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, _) -> answer(method.getReturnType())));
  }

  private static @Nullable Object answer(Class<?> type) {
    if (type == PreparedStatement.class) return played(PreparedStatement.class);
    return type == int.class ? 0 : null;
  }

  private static final class Trouble extends RuntimeException implements Planned {
    private static final long serialVersionUID = 1L;

    Trouble() {
      super("planned");
    }
  }

  /// A mistake: two writers may both take a job.
  static final class TakesTwice {

    private TakesTwice() {}

    static boolean compareAndSet(AtomicBoolean it, boolean expected, boolean next) {
      if (it.get() != expected) return false;
      it.set(next);
      return true;
    }
  }
}
