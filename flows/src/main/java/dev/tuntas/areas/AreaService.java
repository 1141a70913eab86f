package dev.tuntas.areas;

import java.util.Comparator;

/// A service in an area. What belongs to them is locked in their order, so that nobody waits in a
/// circle.
public record AreaService(String area, String service) implements Comparable<AreaService> {

  private static final Comparator<AreaService> ORDER =
      Comparator.comparing(AreaService::area).thenComparing(AreaService::service);

  @Override
  public int compareTo(AreaService other) {
    return ORDER.compare(this, other);
  }
}
