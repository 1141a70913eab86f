package dev.tuntas.server.settings;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/// Where customers hear of their orders; nowhere without a URL.
public record CustomerWebhookSettings(@Nullable URI url, @Nullable String secret) {

  public CustomerWebhookSettings {
    if (url != null) {
      Limits.web("customer-webhook.url", url);
      if (secret == null || secret.length() < 24) {
        throw new IllegalArgumentException(
            "customer-webhook.secret must have at least 24 characters if there is a URL");
      }
    }
  }

  /// Without the secret.
  @Override
  public String toString() {
    return "CustomerWebhookSettings[url=" + url + "]";
  }
}
