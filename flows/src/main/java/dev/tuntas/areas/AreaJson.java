package dev.tuntas.areas;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// Areas and their rules as they are stored, under the names of the API.
final class AreaJson {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(it -> it.withValueInclusion(JsonInclude.Include.NON_NULL))
          .build();

  private AreaJson() {}

  static String text(Object value) {
    return JSON.writeValueAsString(value);
  }

  static AreaRules rules(String json) {
    return JSON.readValue(json, AreaRules.class);
  }

  static Flags flags(String json) {
    return JSON.readValue(json, Flags.class);
  }

  static Geofence geofence(String json) {
    return Geofence.read(JSON.readTree(json));
  }

  static List<String> texts(String json) {
    return List.of(JSON.readValue(json, String[].class));
  }

  /// For the audit log: everything, with a hash of the border, which may be long.
  static String summary(Area area) {
    return area.name()
        + " "
        + area.services()
        + " priority "
        + area.priority()
        + (area.enabled() ? "" : " disabled")
        + (area.geohash().isEmpty() ? "" : " geohash " + area.geohash().size())
        + (area.geofence() == null ? "" : " geofence " + area.geofence().hashCode());
  }
}
