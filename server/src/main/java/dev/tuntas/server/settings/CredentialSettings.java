package dev.tuntas.server.settings;

import org.jspecify.annotations.Nullable;

/// Keys and secrets given from outside, instead of those made at the first start.
public record CredentialSettings(
    @Nullable String clientKey,
    @Nullable String adminKey,
    @Nullable String serviceKey,
    @Nullable String bbdSecret) {

  private static final int LEAST = 8;
  private static final int MOST = 200;

  public CredentialSettings {
    clientKey = given(clientKey);
    adminKey = given(adminKey);
    serviceKey = given(serviceKey);
    bbdSecret = given(bbdSecret);
    check("TUNTAS_CLIENT_KEY", clientKey);
    check("TUNTAS_ADMIN_KEY", adminKey);
    check("TUNTAS_SERVICE_KEY", serviceKey);
    check("TUNTAS_BBD_SECRET", bbdSecret);
  }

  private static void check(String name, @Nullable String value) {
    if (value == null) return;
    if (value.length() < LEAST || value.length() > MOST) {
      throw new IllegalArgumentException(
          name + " must have " + LEAST + " to " + MOST + " characters, better 32 random ones");
    }
    if (!value.matches("[!-~]+")) {
      throw new IllegalArgumentException(name + " may have visible ASCII characters only");
    }
  }

  private static @Nullable String given(@Nullable String value) {
    return value == null || value.isEmpty() ? null : value;
  }

  /// Without any of them.
  @Override
  public String toString() {
    return "CredentialSettings[...]";
  }
}
