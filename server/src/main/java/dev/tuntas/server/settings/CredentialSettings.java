package dev.tuntas.server.settings;

import org.jspecify.annotations.Nullable;

/// Keys and secrets given from outside, instead of those made at the first start.
public record CredentialSettings(
    @Nullable String clientKey,
    @Nullable String adminKey,
    @Nullable String serviceKey,
    @Nullable String bbdSecret) {

  private static final int MOST = 200;

  public CredentialSettings {
    clientKey = Limits.given(clientKey);
    adminKey = Limits.given(adminKey);
    serviceKey = Limits.given(serviceKey);
    bbdSecret = Limits.given(bbdSecret);
    check("TUNTAS_CLIENT_KEY", clientKey);
    check("TUNTAS_ADMIN_KEY", adminKey);
    check("TUNTAS_SERVICE_KEY", serviceKey);
    check("TUNTAS_BBD_SECRET", bbdSecret);
  }

  private static void check(String name, @Nullable String value) {
    if (value == null) return;
    Limits.secret(name, value);
    if (value.length() > MOST) {
      throw new IllegalArgumentException(name + " may have " + MOST + " characters at most");
    }
    Limits.visible(name, value);
  }

  /// Whether it is a key that somebody can call us with.
  boolean has(String key) {
    return key.equals(clientKey) || key.equals(adminKey) || key.equals(serviceKey);
  }

  /// Without any of them.
  @Override
  public String toString() {
    return "CredentialSettings[...]";
  }
}
