package dev.tuntas.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.audit.Audit;
import dev.tuntas.engine.StoreException;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class KeyRingTest {

  /// A database that does not answer.
  private static final class Away implements Tables {

    final AtomicInteger asked = new AtomicInteger();
    final CountDownLatch waiting = new CountDownLatch(1);

    @Override
    public <T> T read(String attempted, Work<T> work) {
      asked.incrementAndGet();
      try {
        waiting.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      throw new StoreException(StoreException.Kind.NOT_DONE, attempted, null);
    }

    @Override
    public <T> T write(String attempted, Work<T> work) {
      return read(attempted, work);
    }

    @Override
    public void close() {}
  }

  @Test
  void who_waited_for_a_look_that_failed_fails_with_it() {
    var away = new Away();
    var clock = InstantSource.system();
    var ring = new KeyRing(new AccessKeys(away, new Audit(away, clock), clock), () -> 0);
    var failed = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        threads.submit(
            () -> {
              assertThatThrownBy(() -> ring.find("tk_any")).isInstanceOf(StoreException.class);
              failed.incrementAndGet();
            });
      }
      away.waiting.countDown();
    }
    assertThat(failed).hasValue(50);
    assertThat(away.asked).hasValue(1);
  }
}
