package dev.tuntas.areas;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A part of the city: what lies within its border or in one of its geohash boxes.
///
/// @param geohash prefixes
/// @param services what can be ordered there, such as `RIDE`
/// @param priority decides between areas of the same size; the higher one wins
/// @param enabled whether orders are taken there at all
public record Area(
    String id,
    String name,
    @Nullable Geofence geofence,
    List<String> geohash,
    SortedSet<String> services,
    int priority,
    boolean enabled) {

  /// What is known from the start. Others may be named as an area's services, too.
  public static final List<String> SERVICES = List.of("RIDE", "RENT", "DELIVERY", "GOLDEN_BIRD");

  public static final int GEOHASHES_MAX = 200;
  public static final int SERVICES_MAX = 20;
  public static final int PRIORITY_MAX = 1_000;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");
  private static final Pattern SERVICE = Pattern.compile("[A-Z][A-Z0-9_]{0,31}");

  public Area {
    geohash = List.copyOf(geohash);
    services = Collections.unmodifiableSortedSet(new TreeSet<>(services));
    flaw(geofence, geohash, services)
        .ifPresent(
            sentence -> {
              throw new IllegalArgumentException(sentence);
            });
    if (!isId(id)) throw new IllegalArgumentException("An area has an id of letters and digits.");
  }

  private static Optional<String> flaw(
      @Nullable Geofence geofence, List<String> geohash, SortedSet<String> services) {
    if (geofence == null && geohash.isEmpty()) {
      return Optional.of("An area has a geofence, or geohash prefixes, or both.");
    }
    if (geohash.size() > GEOHASHES_MAX) {
      return Optional.of("An area has at most " + GEOHASHES_MAX + " geohash prefixes.");
    }
    if (!geohash.stream().allMatch(Geohash::isPrefix)) {
      return Optional.of("A geohash prefix has 1 to 12 of 0-9 and b-z without i, l and o.");
    }
    if (services.isEmpty() || services.size() > SERVICES_MAX) {
      return Optional.of("An area has 1 to " + SERVICES_MAX + " service types.");
    }
    if (!services.stream().allMatch(Area::isService)) {
      return Optional.of("A service type has 1 to 32 of A-Z, 0-9 and _.");
    }
    return Optional.empty();
  }

  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  public static boolean isService(String text) {
    return SERVICE.matcher(text).matches();
  }
}
