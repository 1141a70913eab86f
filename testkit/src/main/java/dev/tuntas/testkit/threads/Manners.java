package dev.tuntas.testkit.threads;

import java.util.random.RandomGenerator;

/// How a run's scheduler behaves, drawn by its seed: some find what others do not.
///
/// @param gap so many points lie between two preemptions, on average
/// @param preemptions at most so many, and then every thread goes on until it waits
/// @param everywhere also between two uses of plain fields and collections, where only threads that
///   share without a lock notice anything
/// @param byPriority the thread that goes on is always the one with the highest priority, until it
///   is preempted; else each is drawn
/// @param pauseOneIn one in so many preempted threads stands still for a while
/// @param pauseMax for so long at most
record Manners(
    int gap,
    int preemptions,
    boolean everywhere,
    boolean byPriority,
    int pauseOneIn,
    long pauseMax) {

  private static final int[] GAPS = {2, 5, 15, 50, 200};
  private static final int[] PREEMPTIONS = {20, 100, 1_000};
  private static final long MILLI = 1_000_000;

  static Manners drawn(RandomGenerator random, long pauseMax) {
    boolean everywhere = random.nextInt(3) == 0;
    return new Manners(
        GAPS[random.nextInt(GAPS.length)] * (everywhere ? 2 : 1),
        PREEMPTIONS[random.nextInt(PREEMPTIONS.length)],
        everywhere,
        random.nextBoolean(),
        1 + random.nextInt(12),
        random.nextInt(3) == 0 ? pauseMax : Math.min(pauseMax, 30 * MILLI));
  }
}
