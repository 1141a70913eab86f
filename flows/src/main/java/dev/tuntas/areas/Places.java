package dev.tuntas.areas;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.algorithm.locate.IndexedPointInAreaLocator;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Location;
import org.locationtech.jts.index.strtree.STRtree;

/// Finds the area of a place among thousands within microseconds. For any number of threads.
public final class Places {

  private static final Comparator<Spot> BEST =
      Comparator.comparingDouble(Spot::size)
          .thenComparingInt(spot -> -spot.area.priority())
          .thenComparing(spot -> spot.area.id());

  private final List<Spot> spots;
  private final STRtree index = new STRtree();

  public Places(Collection<Area> areas) {
    spots = areas.stream().map(Spot::of).toList();
    for (var spot : spots) {
      for (var box : spot.boxes) index.insert(box, spot);
      if (spot.border != null) index.insert(spot.borderBox, spot);
    }
    index.build();
  }

  /// The smallest area that holds the place and has the service; of equals, the one of higher
  /// priority. Places on a border are within.
  public Optional<Area> at(Place place, String service) {
    var point = new Coordinate(place.longitude(), place.latitude());
    return found(point).stream()
        .filter(spot -> spot.area.services().contains(service) && spot.holds(point))
        .min(BEST)
        .map(Spot::area);
  }

  @SuppressWarnings("unchecked") // nothing but spots is put into the index
  private List<Spot> found(Coordinate point) {
    return (List<Spot>) index.query(new Envelope(point));
  }

  /// An area and how far its middle is.
  public record Near(Area area, long metres) {}

  /// The areas with this service around a place, nearest first.
  public List<Near> around(Place place, String service, long metresMax) {
    var near = new ArrayList<Near>();
    for (var spot : spots) {
      if (!spot.area.services().contains(service)) continue;
      long metres = place.metresTo(spot.middle);
      if (metres <= metresMax) near.add(new Near(spot.area, metres));
    }
    near.sort(Comparator.comparingLong(Near::metres).thenComparing(it -> it.area.id()));
    return near;
  }

  /// An area as it is searched for.
  ///
  /// @param size in square degrees, as they are at its latitude
  private record Spot(
      Area area,
      @Nullable IndexedPointInAreaLocator border,
      Envelope borderBox,
      List<Envelope> boxes,
      double size,
      Place middle) {

    static Spot of(Area area) {
      var fence = area.geofence();
      var boxes = area.geohash().stream().map(Geohash::box).toList();
      var whole = new Envelope();
      boxes.forEach(whole::expandToInclude);
      double size = boxes.stream().mapToDouble(Envelope::getArea).sum();
      var borderBox = new Envelope();
      IndexedPointInAreaLocator border = null;
      if (fence != null) {
        var polygon = fence.polygon();
        borderBox = polygon.getEnvelopeInternal();
        border = new IndexedPointInAreaLocator(polygon);
        size += polygon.getArea();
        whole.expandToInclude(borderBox);
      }
      var centre = whole.centre();
      return new Spot(
          area,
          border,
          borderBox,
          boxes,
          size * Math.cos(Math.toRadians(centre.y)),
          new Place(centre.y, centre.x));
    }

    boolean holds(Coordinate point) {
      if (boxes.stream().anyMatch(box -> box.contains(point))) return true;
      return border != null && border.locate(point) != Location.EXTERIOR;
    }
  }
}
