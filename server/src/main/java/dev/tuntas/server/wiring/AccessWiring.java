package dev.tuntas.server.wiring;

import dev.tuntas.audit.Audit;
import dev.tuntas.audit.AuditHeads;
import dev.tuntas.server.access.AccessKeys;
import dev.tuntas.server.access.Credentials;
import dev.tuntas.server.access.FirstKeys;
import dev.tuntas.server.access.KeyRing;
import dev.tuntas.server.access.Secrets;
import dev.tuntas.server.http.Cursors;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.Stores;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Keys, secrets and the audit log, beside the orders in their database.
@Configuration(proxyBeanMethods = false)
class AccessWiring {

  @Bean
  Tables accessTables(Stores stores) {
    return stores.tables(TableSet.of("access"));
  }

  @Bean
  Audit audit(Tables accessTables, InstantSource clock) {
    return new Audit(accessTables, clock);
  }

  @Bean
  AuditHeads auditHeads(Settings settings) {
    return new AuditHeads(settings.data().resolve("audit-heads.log"));
  }

  @Bean
  AuditHeadKeeper auditHeadKeeper(Audit audit, AuditHeads heads) {
    return new AuditHeadKeeper(audit, heads);
  }

  @Bean
  AccessKeys accessKeys(Tables accessTables, Audit audit, InstantSource clock) {
    return new AccessKeys(accessTables, audit, clock);
  }

  @Bean
  KeyRing keyRing(AccessKeys keys) {
    return new KeyRing(keys, System::nanoTime);
  }

  @Bean
  Secrets secrets(Tables accessTables) {
    return new Secrets(accessTables);
  }

  @Bean
  Credentials credentials(AccessKeys keys, Secrets secrets, Settings settings) {
    var first = new FirstKeys(keys, secrets, settings.data());
    if (settings.is(Settings.Role.SIMULATOR)) first.admitTo(settings.partners());
    return first.prepare(settings.credentials(), settings.embedded());
  }

  @Bean
  Cursors cursors(Secrets secrets) {
    return new Cursors(secrets.bytes("cursor"));
  }
}
