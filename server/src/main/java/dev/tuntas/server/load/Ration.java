package dev.tuntas.server.load;

import java.util.function.IntSupplier;

/// Lets in fewer new orders the more of those before are being worked on: all of them while these
/// are fewer than half of what may be, none beyond that, and in between a share. So as many come in
/// as are finished, whatever the load, and no backlog grows.
public final class Ration {

  private final double most;
  private volatile IntSupplier source = () -> 0;
  private double owed;

  public Ration(int openMax) {
    this.most = openMax;
  }

  /// Whom to ask how many orders are worked on; before that, none are.
  public void follow(IntSupplier open) {
    this.source = open;
  }

  public int open() {
    return source.getAsInt();
  }

  /// Whether one more may come in. Refusals are spread evenly, not drawn.
  public boolean lets() {
    double refused = open() / most * 2 - 1;
    if (refused <= 0) return true;
    if (refused >= 1) return false;
    synchronized (this) {
      owed += refused;
      if (owed < 1) return true;
      owed -= 1;
      return false;
    }
  }
}
