package dev.tuntas.store;

import org.jspecify.annotations.Nullable;

/// Finds whoever takes a second connection of a database while it has one: as many of those as
/// there are connections would wait for each other. In tests they fail at once; elsewhere this does
/// nothing.
final class OneConnection {

  private static final boolean CHECKED = Boolean.getBoolean("dev.tuntas.store.one-connection");

  private final ThreadLocal<@Nullable String> held = new ThreadLocal<>();

  void take(String attempted) {
    if (!CHECKED) return;
    var first = held.get();
    if (first != null) {
      throw new IllegalStateException(
          "to %s takes a second connection, inside the one to %s: pass the session along"
              .formatted(attempted, first));
    }
    held.set(attempted);
  }

  void giveBack() {
    if (CHECKED) held.remove();
  }
}
