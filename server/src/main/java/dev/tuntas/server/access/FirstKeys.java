package dev.tuntas.server.access;

import dev.tuntas.server.settings.CredentialSettings;
import dev.tuntas.server.settings.PartnerSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes sure that somebody can call: with keys given from outside, those of the file, or new ones.
/// There is no key that everybody knows.
public final class FirstKeys {

  private final AccessKeys keys;
  private final Secrets secrets;
  private final CredentialsFile file;

  public FirstKeys(AccessKeys keys, Secrets secrets, Path data) {
    this.keys = keys;
    this.secrets = secrets;
    this.file = new CredentialsFile(data.resolve("credentials.properties"));
  }

  /// @param embedded whether who can write to the folder owns everything anyway, so that lost keys
  ///   may be made anew
  public Credentials prepare(CredentialSettings given, boolean embedded) {
    var kept = file.read();
    boolean make = embedded || !keys.hasAdmin();
    var client = choose(given.clientKey(), kept, "client.key", make);
    var admin = choose(given.adminKey(), kept, "admin.key", make);
    var secret = choose(given.bbdSecret(), kept, "bbd.secret", false);
    if (secret == null) secret = secrets.text("bbd");
    if (client != null) keys.ensure("default", Set.of(Role.CLIENT), client);
    if (admin != null) keys.ensure("admin", Set.of(Role.ADMIN), admin);
    if (given.serviceKey() != null) {
      keys.ensure("service", Set.of(Role.SERVICE), given.serviceKey());
    }
    boolean made = client != null && given.clientKey() == null;
    made |= admin != null && given.adminKey() == null;
    if (made) keep(kept, given, client, admin, secret);
    return new Credentials(client, admin, given.serviceKey(), secret, made ? file.path() : null);
  }

  /// Lets those in who call the partners that are simulated here, as they would call the real ones.
  public void admitTo(PartnerSettings simulated) {
    admit("simulated-bbd", simulated.bbd().credential());
    admit("simulated-bank", simulated.bank().credential());
  }

  private void admit(String client, @Nullable String credential) {
    if (credential != null) keys.ensure(client, Set.of(Role.PARTNER), credential);
  }

  private static @Nullable String choose(
      @Nullable String given, Properties kept, String name, boolean make) {
    if (given != null) return given;
    var known = kept.getProperty(name);
    return known == null && make ? AccessKeys.newText() : known;
  }

  /// What was given from outside is not ours to write down.
  private void keep(
      Properties kept,
      CredentialSettings given,
      @Nullable String client,
      @Nullable String admin,
      String secret) {
    var values = new LinkedHashMap<String, String>();
    if (given.clientKey() == null && client != null) values.put("client.key", client);
    if (given.adminKey() == null && admin != null) values.put("admin.key", admin);
    if (given.bbdSecret() == null) values.put("bbd.secret", secret);
    if (!values.equals(kept)) file.write(values);
  }
}
