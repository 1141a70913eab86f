package dev.tuntas.simulator;

import dev.tuntas.areas.Area;
import dev.tuntas.areas.AreaBook;
import dev.tuntas.areas.Geofence;
import java.util.List;
import java.util.TreeSet;

/// The areas of the simulated world: Jakarta, its airport and what is around it.
public final class OpeningAreas {

  private static final List<Area> ALL =
      List.of(
          area("JKT-PUSAT", "Jakarta Pusat", -6.225, 106.805, -6.150, 106.880),
          area("JKT-SELATAN", "Jakarta Selatan", -6.365, 106.740, -6.225, 106.865),
          area("JKT-BARAT", "Jakarta Barat", -6.225, 106.685, -6.100, 106.805),
          area("JKT-TIMUR", "Jakarta Timur", -6.360, 106.865, -6.150, 106.975),
          area("JKT-UTARA", "Jakarta Utara", -6.150, 106.805, -6.090, 106.975),
          area("CGK-T3", "Bandara Soekarno-Hatta Terminal 3", -6.130, 106.645, -6.110, 106.675),
          area("BANDUNG", "Kota Bandung", -6.970, 107.545, -6.840, 107.740));

  private OpeningAreas() {}

  /// Puts them there if there is no area at all. What somebody has changed since stays as it is.
  public static void fill(AreaBook book) {
    book.open(ALL);
  }

  private static Area area(
      String id, String name, double south, double west, double north, double east) {
    return new Area(
        id,
        name,
        Geofence.box(south, west, north, east),
        List.of(),
        new TreeSet<>(Area.SERVICES),
        0,
        true);
  }
}
