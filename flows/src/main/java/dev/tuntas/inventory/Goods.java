package dev.tuntas.inventory;

import java.time.LocalDate;
import java.util.List;

/// What an order takes out of stock.
public sealed interface Goods {

  /// So many of each item.
  record Lines(List<Line> lines) implements Goods {
    public Lines {
      lines = List.copyOf(lines);
    }
  }

  record Line(String sku, int quantity) {}

  /// So many rooms for every night from `checkIn` on; `checkOut` is not a night.
  record Stay(String roomId, int rooms, LocalDate checkIn, LocalDate checkOut) implements Goods {

    /// The nights, in order.
    public List<LocalDate> nights() {
      return checkIn.datesUntil(checkOut).toList();
    }
  }
}
