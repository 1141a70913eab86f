package dev.tuntas.areas;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// What is switched on, for whom.
public record Flags(ServerBusy serverBusy, ProactiveRetrieval proactiveRetrieval) {

  /// Whether full areas refuse orders. An empty set means all.
  ///
  /// @param shadowMode refuse nothing, but note what would have been refused
  public record ServerBusy(
      boolean enabled,
      SortedSet<String> enabledAreas,
      SortedSet<String> enabledChannels,
      boolean shadowMode) {

    public ServerBusy {
      enabledAreas = Collections.unmodifiableSortedSet(new TreeSet<>(enabledAreas));
      enabledChannels = Collections.unmodifiableSortedSet(new TreeSet<>(enabledChannels));
    }

    boolean concerns(String area, String channel) {
      return enabled
          && (enabledAreas.isEmpty() || enabledAreas.contains(area))
          && (enabledChannels.isEmpty() || enabledChannels.contains(channel));
    }
  }

  /// Whether the partner is asked for job ids that it did not tell.
  public record ProactiveRetrieval(boolean enabled, int percentage) {

    public ProactiveRetrieval {
      if (percentage < 0 || percentage > 100) {
        throw new IllegalArgumentException("a percentage is between 0 and 100");
      }
    }

    /// Always the same for one order, and for no fewer orders when the percentage grows.
    public boolean isFor(String orderId) {
      return enabled && Math.floorMod(spread(orderId.hashCode()), 100) < percentage;
    }

    /// Similar texts have similar hashes.
    private static int spread(int hash) {
      int mixed = (hash ^ hash >>> 16) * 0x85ebca6b;
      mixed = (mixed ^ mixed >>> 13) * 0xc2b2ae35;
      return mixed ^ mixed >>> 16;
    }
  }

  /// Everything is on, for all.
  public static Flags defaults() {
    return new Flags(
        new ServerBusy(true, new TreeSet<>(), new TreeSet<>(), false),
        new ProactiveRetrieval(true, 100));
  }
}
