package dev.tuntas.server.bus;

import dev.tuntas.inventory.Inventory;

/// Tells an inventory over the bus what to reserve and to release, where that is configured.
@FunctionalInterface
public interface DrivenInventory {

  /// @param called what is called for all the rest
  Inventory over(Inventory called);
}
