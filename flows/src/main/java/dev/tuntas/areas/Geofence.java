package dev.tuntas.areas;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.valid.IsValidOp;
import tools.jackson.databind.JsonNode;

/// The border of an area: a GeoJSON polygon, its outer ring first, then its holes.
public record Geofence(List<List<Place>> rings) {

  static final int PLACES_MAX = 1_000;
  private static final int RING_MIN = 4;
  private static final GeometryFactory GEOMETRY = new GeometryFactory();

  public Geofence {
    rings = rings.stream().map(List::copyOf).toList();
    require(!rings.isEmpty(), "A polygon has a ring of places.");
    long places = rings.stream().mapToLong(List::size).sum();
    require(places <= PLACES_MAX, "A polygon has at most " + PLACES_MAX + " places.");
    for (var ring : rings) {
      require(ring.size() >= RING_MIN, "A ring has at least four places.");
      require(
          ring.getFirst().equals(ring.getLast()), "A ring ends where it began: repeat its start.");
    }
    var flaw = new IsValidOp(polygon(rings)).getValidationError();
    require(flaw == null, "The polygon crosses itself, or has a hole outside of it.");
  }

  /// Reads a GeoJSON geometry of type `Polygon`; a sentence says what is wrong with another.
  public static Geofence read(JsonNode json) {
    require(
        json.isObject() && json.path("type").asString("").equals("Polygon"),
        "It must be a GeoJSON Polygon.");
    require(json.size() == 2, "A GeoJSON Polygon has type and coordinates, and nothing else.");
    var rings = new ArrayList<List<Place>>();
    int places = 0;
    for (var ring : array(json.path("coordinates"))) {
      var read = new ArrayList<Place>();
      for (var position : array(ring)) {
        require(++places <= PLACES_MAX, "A polygon has at most " + PLACES_MAX + " places.");
        read.add(place(position));
      }
      rings.add(read);
    }
    return new Geofence(rings);
  }

  private static JsonNode array(JsonNode json) {
    require(json.isArray(), "The coordinates are a list of rings, and a ring is a list of places.");
    return json;
  }

  private static Place place(JsonNode json) {
    require(
        json.isArray() && json.size() == 2 && json.get(0).isNumber() && json.get(1).isNumber(),
        "A place is [longitude, latitude].");
    return new Place(json.get(1).doubleValue(), json.get(0).doubleValue());
  }

  /// A rectangle.
  public static Geofence box(double south, double west, double north, double east) {
    return new Geofence(
        List.of(
            List.of(
                new Place(south, west),
                new Place(south, east),
                new Place(north, east),
                new Place(north, west),
                new Place(south, west))));
  }

  /// As GeoJSON.
  public Map<String, Object> shown() {
    return Map.of(
        "type",
        "Polygon",
        "coordinates",
        rings.stream()
            .map(
                ring ->
                    ring.stream()
                        .map(place -> List.of(place.longitude(), place.latitude()))
                        .toList())
            .toList());
  }

  Polygon polygon() {
    return polygon(rings);
  }

  private static Polygon polygon(List<List<Place>> rings) {
    var holes = rings.stream().skip(1).map(Geofence::ring).toArray(LinearRing[]::new);
    return GEOMETRY.createPolygon(ring(rings.getFirst()), holes);
  }

  private static LinearRing ring(List<Place> places) {
    return GEOMETRY.createLinearRing(
        places.stream()
            .map(place -> new Coordinate(place.longitude(), place.latitude()))
            .toArray(Coordinate[]::new));
  }

  private static void require(boolean fine, String sentence) {
    if (!fine) throw new IllegalArgumentException(sentence);
  }
}
