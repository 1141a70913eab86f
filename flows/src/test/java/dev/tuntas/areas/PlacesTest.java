package dev.tuntas.areas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class PlacesTest {

  private static final Place MONAS = new Place(-6.1754, 106.8272);

  private static Area area(
      String id, @Nullable Geofence fence, List<String> geohash, int priority, String... services) {
    return new Area(id, id, fence, geohash, new TreeSet<>(List.of(services)), priority, true);
  }

  private static Area box(String id, double half, int priority, String... services) {
    return area(id, around(MONAS, half), List.of(), priority, services);
  }

  private static Geofence around(Place place, double half) {
    return Geofence.box(
        place.latitude() - half,
        place.longitude() - half,
        place.latitude() + half,
        place.longitude() + half);
  }

  private static String at(Place place, String service, Area... areas) {
    return new Places(List.of(areas)).at(place, service).map(Area::id).orElse("none");
  }

  @Test
  void of_nested_areas_the_smallest_wins() {
    var kota = box("KOTA", 0.2, 9, "RIDE");
    var kecamatan = box("KECAMATAN", 0.05, 0, "RIDE");
    var kelurahan = box("KELURAHAN", 0.01, 0, "RIDE");
    assertThat(at(MONAS, "RIDE", kota, kelurahan, kecamatan)).isEqualTo("KELURAHAN");
    assertThat(at(new Place(-6.2, 106.85), "RIDE", kota, kelurahan, kecamatan))
        .isEqualTo("KECAMATAN");
    assertThat(at(new Place(-6.3, 106.9), "RIDE", kota, kelurahan, kecamatan)).isEqualTo("KOTA");
  }

  @Test
  void of_two_of_the_same_size_the_higher_priority_wins() {
    assertThat(at(MONAS, "RIDE", box("A", 0.1, 1, "RIDE"), box("B", 0.1, 2, "RIDE")))
        .isEqualTo("B");
  }

  @Test
  void an_area_without_the_service_is_not_found() {
    var small = box("SMALL", 0.01, 0, "RENT");
    var large = box("LARGE", 0.1, 0, "RIDE");
    assertThat(at(MONAS, "RIDE", small, large)).isEqualTo("LARGE");
    assertThat(at(MONAS, "DELIVERY", small, large)).isEqualTo("none");
    assertThat(at(new Place(51, 10), "RIDE", small, large)).isEqualTo("none");
  }

  @Test
  void geohash_boxes_and_borders_may_be_mixed() {
    var hashed = area("HASHED", null, List.of(Geohash.of(MONAS, 5)), 0, "RIDE");
    var special = box("AIRPORT", 0.001, 0, "RIDE");
    var both =
        area("BOTH", around(new Place(-7, 110), 0.1), List.of(Geohash.of(MONAS, 4)), 0, "RIDE");
    assertThat(at(MONAS, "RIDE", hashed, both)).isEqualTo("HASHED");
    assertThat(at(MONAS, "RIDE", hashed, both, special)).isEqualTo("AIRPORT");
    assertThat(at(new Place(-7, 110), "RIDE", hashed, both)).isEqualTo("BOTH");
  }

  @Test
  void a_hole_is_not_within_and_a_border_is() {
    var json =
        """
        {"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]],
        [[4,4],[6,4],[6,6],[4,6],[4,4]]]}
        """;
    var area =
        area("RING", Geofence.read(JsonMapper.shared().readTree(json)), List.of(), 0, "RIDE");
    assertThat(at(new Place(5, 5), "RIDE", area)).isEqualTo("none");
    assertThat(at(new Place(2, 2), "RIDE", area)).isEqualTo("RING");
    assertThat(at(new Place(0, 5), "RIDE", area)).isEqualTo("RING");
  }

  @Test
  void what_is_around_comes_nearest_first() {
    var places =
        new Places(
            List.of(
                area("FAR", around(new Place(-6.4, 106.8), 0.01), List.of(), 0, "RIDE"),
                area("NEAR", around(new Place(-6.18, 106.83), 0.01), List.of(), 0, "RIDE"),
                area("OTHER", around(new Place(-6.18, 106.83), 0.01), List.of(), 0, "RENT"),
                area("BALI", around(new Place(-8.7, 115.2), 0.01), List.of(), 0, "RIDE")));
    assertThat(places.around(MONAS, "RIDE", 50_000))
        .extracting(near -> near.area().id())
        .containsExactly("NEAR", "FAR");
    assertThat(places.around(MONAS, "RIDE", 50_000).getFirst().metres()).isBetween(500L, 700L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|GeoJSON Polygon",
        "{\"type\":\"Point\",\"coordinates\":[1,2]}|GeoJSON Polygon",
        "{\"type\":\"Polygon\",\"coordinates\":[]}|a ring of places",
        "{\"type\":\"Polygon\",\"coordinates\":7}|list of rings",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1],[0,0]]]}|at least four",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1],[1,0],[0,1]]]}|ends where it began",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}|crosses itself",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[0,0],[0,0],[0,0]]]}|crosses itself",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,\"1\"],[1,0],[0,0]]]}|[longitude,",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,91],[1,0],[0,0]]]}|on earth",
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1e400,1],[1,0],[0,0]]]}|on earth",
      })
  void a_border_that_is_none_is_refused_with_a_sentence(String json, String sentence) {
    assertThatThrownBy(() -> Geofence.read(JsonMapper.shared().readTree(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }

  /// Microseconds on any machine; the bound only tells an index from a search through all.
  @Test
  void one_of_a_thousand_areas_is_found_at_once() {
    var chance = new Random(7);
    var areas = new ArrayList<Area>();
    for (int i = 0; i < 1_000; i++) {
      var middle = new Place(-8 + 3 * chance.nextDouble(), 105 + 9 * chance.nextDouble());
      areas.add(area("A" + i, around(middle, 0.05), List.of(), 0, "RIDE"));
    }
    var places = new Places(areas);
    long best = Long.MAX_VALUE;
    int found = 0;
    for (int round = 0; round < 20; round++) {
      long begin = System.nanoTime();
      for (int i = 0; i < 1_000; i++) {
        var place = new Place(-8 + 3 * chance.nextDouble(), 105 + 9 * chance.nextDouble());
        if (places.at(place, "RIDE").isPresent()) found++;
      }
      best = Math.min(best, (System.nanoTime() - begin) / 1_000);
    }
    assertThat(found).isGreaterThan(1_000);
    assertThat(best).as("nanoseconds for one").isLessThan(200_000);
  }
}
