package dev.tuntas.bench.cluster;

import java.util.Locale;

/// What a process of the cluster is for.
public enum Kind {
  /// Accepts orders and shows them.
  WEB("web"),
  /// Runs sagas.
  WORKER("worker"),
  /// With a simulated warehouse around it, which keeps a ledger of its own.
  INVENTORY("inventory,simulator"),
  PAYMENT("payment"),
  /// The partners: a bank and a dispatch partner; and the carts.
  SIMULATOR("simulator,cart");

  private final String roles;

  Kind(String roles) {
    this.roles = roles;
  }

  /// As `tuntas.roles` takes them.
  String roles() {
    return roles;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
