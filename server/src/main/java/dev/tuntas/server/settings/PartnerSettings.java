package dev.tuntas.server.settings;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Where the services are. Without a URL a service runs in this process.
public record PartnerSettings(
    @DefaultValue Partner bbd,
    @DefaultValue Partner inventory,
    @DefaultValue Partner payment,
    @DefaultValue Partner cart) {

  public PartnerSettings {
    check("bbd", bbd);
    check("inventory", inventory);
    check("payment", payment);
    check("cart", cart);
  }

  public record Partner(@Nullable URI url) {}

  private static void check(String name, Partner partner) {
    if (partner.url != null) Limits.web("partners." + name + ".url", partner.url);
  }
}
