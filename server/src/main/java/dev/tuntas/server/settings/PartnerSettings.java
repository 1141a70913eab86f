package dev.tuntas.server.settings;

import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Where the services are. Without a URL a service runs in this process, and customers have no
/// loyalty but what trusted clients say.
public record PartnerSettings(
    @DefaultValue Dispatch bbd,
    @DefaultValue Service inventory,
    @DefaultValue Service payment,
    @DefaultValue Service cart,
    @DefaultValue Partner bank,
    @DefaultValue Partner loyalty) {

  public PartnerSettings {
    check("inventory", inventory);
    check("payment", payment);
    check("cart", cart);
    check("bank", bank.url);
    check("loyalty", loyalty.url);
  }

  public record Partner(@Nullable URI url) {}

  /// One of our services.
  ///
  /// @param concurrency how many calls of each process may be under way, if it is elsewhere: who
  ///   waits for a service that is slow waits here, and not in its memory
  public record Service(@Nullable URI url, @DefaultValue("100") int concurrency) {}

  /// The partner who dispatches rides.
  ///
  /// @param rateLimit how many calls it takes per second, from all our processes together
  /// @param concurrency how many of ours may be under way, for each process
  /// @param callbackUrl where our simulated partner calls back, if not at this server
  /// @param retiredSecret a secret that callbacks may still be signed with
  /// @param retiredSecretUntil for how long
  public record Dispatch(
      @Nullable URI url,
      @DefaultValue("200") int rateLimit,
      @DefaultValue("200") int concurrency,
      @Nullable URI callbackUrl,
      @Nullable String retiredSecret,
      @Nullable Instant retiredSecretUntil) {

    public Dispatch {
      if (url != null) Limits.web("partners.bbd.url", url);
      Limits.between("partners.bbd.rate-limit", rateLimit, 1, 1_000_000);
      Limits.between("partners.bbd.concurrency", concurrency, 1, 1_000_000);
      if (callbackUrl != null) Limits.web("partners.bbd.callback-url", callbackUrl);
      if ((retiredSecret == null) != (retiredSecretUntil == null)) {
        throw new IllegalArgumentException(
            "partners.bbd.retired-secret and .retired-secret-until need each other");
      }
      if (retiredSecret != null && retiredSecret.length() < 8) {
        throw new IllegalArgumentException(
            "partners.bbd.retired-secret must have at least 8 characters");
      }
    }

    /// Without the secret.
    @Override
    public String toString() {
      return "Dispatch[url=" + url + ", callbackUrl=" + callbackUrl + "]";
    }
  }

  private static void check(String name, Service service) {
    check(name, service.url);
    Limits.between("partners." + name + ".concurrency", service.concurrency, 1, 1_000_000);
  }

  private static void check(String name, @Nullable URI url) {
    if (url != null) Limits.web("partners." + name + ".url", url);
  }
}
