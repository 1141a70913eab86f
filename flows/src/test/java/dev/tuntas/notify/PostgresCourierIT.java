package dev.tuntas.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.store.Tables;
import dev.tuntas.support.SupportPostgres;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The same on PostgreSQL, with several processes at work.
class PostgresCourierIT extends CourierTest {

  @Override
  Tables tables() {
    return SupportPostgres.tables();
  }

  @Test
  void couriers_of_many_processes_send_everything_once() throws Exception {
    for (int i = 0; i < 4; i++) alert("tic_" + i);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          IntStream.range(0, 6)
              .<Callable<Integer>>mapToObj(_ -> () -> courier(slack).deliverDue())
              .toList();
      for (var one : threads.invokeAll(all)) one.get();
    }
    assertThat(slack.causes()).containsExactlyInAnyOrder("tic_0", "tic_1", "tic_2", "tic_3");
  }
}
