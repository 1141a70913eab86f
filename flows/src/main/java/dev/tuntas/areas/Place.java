package dev.tuntas.areas;

/// A point on earth, in degrees.
public record Place(double latitude, double longitude) {

  private static final double EARTH_METRES = 6_371_000;

  public Place {
    // Written so that what is not a number is refused, too.
    if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
      throw new IllegalArgumentException("There is no such place on earth.");
    }
  }

  /// As the crow flies.
  public long metresTo(Place other) {
    double north = Math.toRadians(other.latitude - latitude);
    double east = Math.toRadians(other.longitude - longitude);
    double a =
        square(Math.sin(north / 2))
            + Math.cos(Math.toRadians(latitude))
                * Math.cos(Math.toRadians(other.latitude))
                * square(Math.sin(east / 2));
    return Math.round(2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(a))));
  }

  private static double square(double x) {
    return x * x;
  }
}
