package dev.tuntas.server.settings;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/// Where customers hear of their orders; nowhere without a URL.
public record CustomerWebhookSettings(@Nullable URI url, @Nullable String secret) {

  public CustomerWebhookSettings {
    if (url != null) {
      Limits.web("customer-webhook.url", url);
      if (secret == null) {
        throw new IllegalArgumentException(
            "customer-webhook.secret is not set, but messages to a URL are signed with it");
      }
    }
    Limits.secret("customer-webhook.secret", secret, 24);
  }

  /// Without the secret.
  @Override
  public String toString() {
    return "CustomerWebhookSettings[url=" + url + "]";
  }
}
