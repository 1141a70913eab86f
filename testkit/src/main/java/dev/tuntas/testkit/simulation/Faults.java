package dev.tuntas.testkit.simulation;

import java.util.random.RandomGenerator;

/// Which faults there are, and how strong: each is a probability, zero if it does not exist.
///
/// @param requestLost a request never arrives
/// @param replyLost a request arrives and its reply does not
/// @param slow a call takes about as long as its timeout, or longer
/// @param duplicated a request arrives twice
/// @param surprise a call throws something that nobody planned for, with or without effect
/// @param unavailable a partner refuses the connection
/// @param storeRefused a transaction certainly did not happen
/// @param storeUnknown the reply to a transaction is lost; it may have happened
/// @param crash a process dies at a boundary: before or after a write or a call
/// @param pause a process stands still for a while, at a random moment
/// @param publishFails a notice is not published, or published without knowing
/// @param cancels a client cancels
/// @param rules an operator interferes
/// @param signalLost a callback is lost
/// @param signalRepeated a callback comes twice, or late
public record Faults(
    double requestLost,
    double replyLost,
    double slow,
    double duplicated,
    double surprise,
    double unavailable,
    double storeRefused,
    double storeUnknown,
    double crash,
    double pause,
    double publishFails,
    double cancels,
    double rules,
    double signalLost,
    double signalRepeated) {

  public static Faults none() {
    return new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /// Draws which faults exist, about half of them, and how strong they are.
  public static Faults swarm(RandomGenerator random) {
    return new Faults(
        some(random, 0.25),
        some(random, 0.25),
        some(random, 0.15),
        some(random, 0.15),
        some(random, 0.1),
        some(random, 0.25),
        some(random, 0.1),
        some(random, 0.1),
        some(random, 0.02),
        some(random, 0.5),
        some(random, 0.3),
        some(random, 0.4),
        some(random, 0.3),
        some(random, 0.9),
        some(random, 0.4));
  }

  private static double some(RandomGenerator random, double max) {
    double strength = random.nextDouble() * max;
    return random.nextBoolean() ? strength : 0;
  }

  /// The same without one kind, by its position in the list above: for finding a shorter story.
  Faults without(int kind) {
    var all = strengths();
    all[kind] = 0;
    return of(all);
  }

  boolean has(int kind) {
    return strengths()[kind] > 0;
  }

  static final int KINDS = 15;

  private double[] strengths() {
    return new double[] {
      requestLost,
      replyLost,
      slow,
      duplicated,
      surprise,
      unavailable,
      storeRefused,
      storeUnknown,
      crash,
      pause,
      publishFails,
      cancels,
      rules,
      signalLost,
      signalRepeated
    };
  }

  private static Faults of(double[] s) {
    return new Faults(
        s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13],
        s[14]);
  }
}
