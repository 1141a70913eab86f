package dev.tuntas.server.load;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;

/// The place that one request has among those under way.
public final class LoadPermit {

  private final LoadLimit limit;
  private final long began = System.nanoTime();
  private final AtomicBoolean over = new AtomicBoolean();

  LoadPermit(LoadLimit limit) {
    this.limit = limit;
  }

  /// Gives up the place early: the work is done, and the request only waits for others from here.
  public static void workIsDone(HttpServletRequest request) {
    if (request.getAttribute(LoadPermit.class.getName()) instanceof LoadPermit permit) {
      permit.giveUp();
    }
  }

  void giveUp() {
    if (over.compareAndSet(false, true)) limit.leave(System.nanoTime() - began);
  }
}
