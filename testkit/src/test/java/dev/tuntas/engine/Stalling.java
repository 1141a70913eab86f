package dev.tuntas.engine;

/// A beat as it once was: whoever makes it goes on until no call waits for a beat any more.
public final class Stalling {

  private Stalling() {}

  public static void beat(EngineNode node) {
    node.beat();
    while (!node.isDead() && node.worker().stalled() > 0) node.worker().unstall();
  }
}
