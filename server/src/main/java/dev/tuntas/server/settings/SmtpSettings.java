package dev.tuntas.server.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How mail is sent; not at all without a host.
public record SmtpSettings(
    @Nullable String host,
    @DefaultValue("587") int port,
    @Nullable String user,
    @Nullable String password,
    @DefaultValue("true") boolean starttls,
    @DefaultValue("tuntas@localhost") String from,
    @DefaultValue("supporting-reservation@bluebird.id") String alertsTo) {

  public SmtpSettings {
    Limits.between("smtp.port", port, 1, 65_535);
    Limits.notOfASample("smtp.password", password);
  }

  /// Without the password.
  @Override
  public String toString() {
    return "SmtpSettings[host=" + host + ", port=" + port + "]";
  }
}
