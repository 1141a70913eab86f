package dev.tuntas.testkit.simulation;

import java.util.Map;
import java.util.random.RandomGenerator;

/// The harm that comes at boundaries: by chance, or by a script that names the boundaries.
final class Harms implements Boundary {

  private final Map<Integer, Harm> script;
  private final RandomGenerator random;
  private Faults faults;
  private int crossed;

  private Harms(Map<Integer, Harm> script, RandomGenerator random, Faults faults) {
    this.script = script;
    this.random = random;
    this.faults = faults;
  }

  static Harms byChance(RandomGenerator random, Faults faults) {
    return new Harms(Map.of(), random, faults);
  }

  static Harms byScript(Map<Integer, Harm> script, RandomGenerator random) {
    return new Harms(script, random, Faults.none());
  }

  /// How many boundaries were crossed.
  int crossed() {
    return crossed;
  }

  void heal() {
    faults = Faults.none();
  }

  @Override
  public Harm next(boolean isCall) {
    int at = crossed++;
    if (!script.isEmpty()) return script.getOrDefault(at, Harm.NONE);
    if (faults.happens(Fault.CRASH, random))
      return random.nextBoolean() ? Harm.CRASH_BEFORE : Harm.CRASH_AFTER;
    if (isCall) return Harm.NONE; // the network has its own faults
    if (faults.happens(Fault.STORE_REFUSED, random)) return Harm.REFUSED;
    if (faults.happens(Fault.STORE_UNKNOWN, random)) {
      return random.nextBoolean() ? Harm.REPLY_LOST : Harm.REQUEST_LOST;
    }
    return Harm.NONE;
  }
}
