package dev.tuntas.server.settings;

import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Where the services are, and what we show them so that they know us. Without a URL a service runs
/// in this process, and customers have no loyalty but what trusted clients say. Nobody is shown a
/// credential that was not given for it; only our own services are shown our service key.
public record PartnerSettings(
    @DefaultValue Dispatch bbd,
    @DefaultValue Service inventory,
    @DefaultValue Service payment,
    @DefaultValue Service cart,
    @DefaultValue Bank bank,
    @DefaultValue Loyalty loyalty) {

  public PartnerSettings {
    check("inventory", inventory);
    check("payment", payment);
    check("cart", cart);
    check("bank", bank.url, bank.credential);
    check("loyalty", loyalty.url, loyalty.credential);
  }

  /// The bank behind our payment service.
  ///
  /// @param rateLimit how many calls it takes per second, from all our processes together
  /// @param concurrency how many of ours may be under way, for each process
  /// @param credential sent as `Authorization: Bearer`; without it nothing is
  public record Bank(
      @Nullable URI url,
      @DefaultValue("200") int rateLimit,
      @DefaultValue("100") int concurrency,
      @Nullable String credential) {

    public Bank {
      credential = Limits.given(credential);
      Limits.between("partners.bank.rate-limit", rateLimit, 1, 1_000_000);
      Limits.between("partners.bank.concurrency", concurrency, 1, 1_000_000);
    }

    /// Without the credential.
    @Override
    public String toString() {
      return "Bank[url=" + url + "]";
    }
  }

  /// Who knows the levels of customers.
  ///
  /// @param rateLimit how many calls it takes per second from each of our processes: it is no lane,
  ///   so that nobody shares it out. No call lasts longer than half a second, so that no more than
  ///   half of it is under way
  /// @param credential sent as `Authorization: Bearer`; without it nothing is
  public record Loyalty(
      @Nullable URI url, @DefaultValue("200") int rateLimit, @Nullable String credential) {

    public Loyalty {
      credential = Limits.given(credential);
      Limits.between("partners.loyalty.rate-limit", rateLimit, 1, 1_000_000);
    }

    /// Without the credential.
    @Override
    public String toString() {
      return "Loyalty[url=" + url + "]";
    }
  }

  /// One of our services.
  ///
  /// @param rateLimit how many calls it takes per second, from all our processes together. Unless
  ///   it is given, a service elsewhere takes `ELSEWHERE_PER_SECOND`, and one in this process as
  ///   many as the process makes
  /// @param concurrency how many calls of each process may be under way, if it is elsewhere: who
  ///   waits for a service that is slow waits here, and not in its memory
  /// @param credential for a service that is not ours: sent instead of our service key
  public record Service(
      @Nullable URI url,
      @Nullable Integer rateLimit,
      @DefaultValue("100") int concurrency,
      @Nullable String credential) {

    private static final int ELSEWHERE_PER_SECOND = 5_000;

    public Service {
      credential = Limits.given(credential);
    }

    /// How many calls may go to it per second; more than can be made if there is no limit.
    public double perSecond() {
      if (rateLimit != null) return rateLimit;
      return url == null ? Double.POSITIVE_INFINITY : ELSEWHERE_PER_SECOND;
    }

    /// How many calls may be under way there: in this process it is limited by what the process
    /// takes on.
    public int underWayMax() {
      return url == null ? Integer.MAX_VALUE : concurrency;
    }

    /// Without the credential.
    @Override
    public String toString() {
      return "Service[url=" + url + "]";
    }
  }

  /// The partner who dispatches rides.
  ///
  /// @param rateLimit how many calls it takes per second, from all our processes together
  /// @param concurrency how many of ours may be under way, for each process
  /// @param callbackUrl where our simulated partner calls back, if not at this server
  /// @param retiredSecret a secret that callbacks may still be signed with
  /// @param retiredSecretUntil for how long
  /// @param credential sent as `Authorization: Bearer`; without it nothing is
  public record Dispatch(
      @Nullable URI url,
      @DefaultValue("200") int rateLimit,
      @DefaultValue("200") int concurrency,
      @Nullable URI callbackUrl,
      @Nullable String retiredSecret,
      @Nullable Instant retiredSecretUntil,
      @Nullable String credential) {

    public Dispatch {
      credential = Limits.given(credential);
      check("bbd", url, credential);
      Limits.between("partners.bbd.rate-limit", rateLimit, 1, 1_000_000);
      Limits.between("partners.bbd.concurrency", concurrency, 1, 1_000_000);
      if (callbackUrl != null) Limits.web("partners.bbd.callback-url", callbackUrl);
      if ((retiredSecret == null) != (retiredSecretUntil == null)) {
        throw new IllegalArgumentException(
            "partners.bbd.retired-secret and .retired-secret-until need each other");
      }
      Limits.secret("partners.bbd.retired-secret", retiredSecret);
    }

    /// Without the secrets.
    @Override
    public String toString() {
      return "Dispatch[url=" + url + ", callbackUrl=" + callbackUrl + "]";
    }
  }

  private static void check(String name, Service service) {
    check(name, service.url, service.credential);
    if (service.rateLimit != null) {
      Limits.between("partners." + name + ".rate-limit", service.rateLimit, 1, 1_000_000);
    }
    Limits.between("partners." + name + ".concurrency", service.concurrency, 1, 1_000_000);
  }

  private static void check(String name, @Nullable URI url, @Nullable String credential) {
    if (url != null) Limits.web("partners." + name + ".url", url);
    if (credential == null) return;
    Limits.visible("partners." + name + ".credential", credential);
    Limits.notOfASample("partners." + name + ".credential", credential);
  }

  /// A partner that is shown a key of ours can call us with it.
  void refuseKeysOf(CredentialSettings ours) {
    refuse("bbd", bbd.credential, ours);
    refuse("bank", bank.credential, ours);
    refuse("loyalty", loyalty.credential, ours);
  }

  private static void refuse(String name, @Nullable String credential, CredentialSettings ours) {
    if (credential != null && ours.has(credential)) {
      throw new IllegalArgumentException(
          "partners.%s.credential is one of our own keys: a partner needs one of its own"
              .formatted(name));
    }
  }
}
