package dev.tuntas.server.wiring;

import dev.tuntas.engine.Lane;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.server.settings.PartnerSettings;
import java.util.List;

/// The limits of all partners that orders name.
final class PartnerLanes {

  private PartnerLanes() {}

  static List<Lane.Settings> of(PartnerSettings partners) {
    var bbd = partners.bbd();
    return List.of(
        payment(partners),
        service("inventory", partners.inventory()),
        service("cart", partners.cart()),
        Lane.Settings.of(RideSaga.LANE).perSecond(bbd.rateLimit()).concurrency(bbd.concurrency()));
  }

  private static Lane.Settings service(String name, PartnerSettings.Service service) {
    return Lane.Settings.of(name).perSecond(service.perSecond()).concurrency(service.underWayMax());
  }

  /// A payment service in this process takes what the bank behind it takes.
  private static Lane.Settings payment(PartnerSettings partners) {
    var lane = service("payment", partners.payment());
    var bank = partners.bank();
    if (partners.payment().url() != null || bank.url() == null) return lane;
    return lane.perSecond(Math.min(lane.perSecond(), bank.rateLimit()))
        .concurrency(bank.concurrency());
  }
}
