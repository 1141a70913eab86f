package dev.tuntas.server.settings;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Where alerts go on Slack; nowhere without a URL.
public record SlackSettings(
    @Nullable URI webhookUrl, @DefaultValue("#supporting-reservation-alerts") String channel) {

  public SlackSettings {
    if (webhookUrl != null) {
      Limits.web("slack.webhook-url", webhookUrl);
      Limits.notOfASample("slack.webhook-url", webhookUrl.toString());
    }
  }

  /// Without the URL, which is a secret.
  @Override
  public String toString() {
    return "SlackSettings[channel=" + channel + "]";
  }
}
