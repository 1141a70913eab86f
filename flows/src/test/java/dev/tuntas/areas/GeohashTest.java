package dev.tuntas.areas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GeohashTest {

  @Test
  void known_places_have_their_known_hashes() {
    assertThat(Geohash.of(new Place(57.64911, 10.40744), 11)).isEqualTo("u4pruydqqvj");
    assertThat(Geohash.of(new Place(-25.382708, -49.265506), 9)).isEqualTo("6gkzwgjzn");
  }

  @Test
  void a_box_holds_the_places_whose_hash_begins_so() {
    var box = Geohash.box("qqgux");
    assertThat(box.contains(106.8456, -6.2088)).isTrue();
    assertThat(box.contains(106.8456, -6.5)).isFalse();
    assertThat(box.getWidth()).isLessThan(0.05);
  }

  @Test
  void a_prefix_has_the_digits_of_a_geohash_only() {
    assertThat(Geohash.isPrefix("qqguz")).isTrue();
    for (var wrong : new String[] {"", "QQ", "a", "i", "l", "o", "qqguzqqguzqqg", "q q"}) {
      assertThat(Geohash.isPrefix(wrong)).as(wrong).isFalse();
    }
  }
}
