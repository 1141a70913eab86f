package dev.tuntas.testkit.threads.scenarios;

import dev.tuntas.testkit.threads.Scenario;
import java.util.random.RandomGenerator;

/// Uses what is not controlled.
public final class WaitsAsNobodyHere implements Scenario {

  @Override
  public void run(RandomGenerator random) throws Exception {
    synchronized (this) {
      wait(10);
    }
  }
}
