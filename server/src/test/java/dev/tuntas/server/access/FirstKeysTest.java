package dev.tuntas.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.audit.Audit;
import dev.tuntas.server.settings.CredentialSettings;
import dev.tuntas.server.settings.SettingsException;
import dev.tuntas.store.Stores;
import dev.tuntas.store.TableSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FirstKeysTest {

  private static final CredentialSettings NONE = new CredentialSettings(null, null, null, null);

  @TempDir Path data;
  private Stores stores;
  private AccessKeys keys;
  private Secrets secrets;

  @BeforeEach
  void start() {
    stores = Stores.sqlite(data.resolve("orders"), InstantSource.system());
    var tables = stores.tables(TableSet.of("access"));
    keys =
        new AccessKeys(tables, new Audit(tables, InstantSource.system()), InstantSource.system());
    secrets = new Secrets(tables);
  }

  @AfterEach
  void stop() {
    stores.close();
  }

  @Test
  void the_first_start_makes_keys_and_writes_them_for_the_owner_only() throws IOException {
    var made = prepare(NONE, true);
    var file = data.resolve("credentials.properties");
    assertThat(made.file()).isEqualTo(file);
    assertThat(Files.readAllLines(file))
        .contains(
            "client.key=" + made.clientKey(),
            "admin.key=" + made.adminKey(),
            "bbd.secret=" + made.bbdSecret());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(roles(made.clientKey())).containsExactly(Role.CLIENT);
    assertThat(roles(made.adminKey())).containsExactly(Role.ADMIN);
  }

  @Test
  void later_starts_keep_the_keys() {
    var first = prepare(NONE, true);
    assertThat(prepare(NONE, true)).isEqualTo(first);
    assertThat(keys.allActive()).hasSize(2);
  }

  @Test
  void lost_keys_are_made_anew_and_the_lost_ones_no_longer_work() throws IOException {
    var lost = prepare(NONE, true);
    Files.delete(data.resolve("credentials.properties"));
    var found = prepare(NONE, true);
    assertThat(found.adminKey()).isNotEqualTo(lost.adminKey());
    assertThat(new KeyRing(keys, System::nanoTime).find(String.valueOf(lost.adminKey()))).isEmpty();
    assertThat(keys.allActive()).hasSize(2);
  }

  @Test
  void keys_from_outside_work_and_are_written_nowhere() {
    var given =
        new CredentialSettings(
            "client-key-12345678",
            "admin-key-12345678",
            "service-key-12345678",
            "secret-12345678-9");
    assertThat(prepare(given, true).file()).isNull();
    assertThat(data.resolve("credentials.properties")).doesNotExist();
    assertThat(roles("client-key-12345678")).containsExactly(Role.CLIENT);
    assertThat(roles("admin-key-12345678")).containsExactly(Role.ADMIN);
    assertThat(roles("service-key-12345678")).containsExactly(Role.SERVICE);
  }

  @Test
  void another_key_from_outside_takes_the_place_of_the_one_before() {
    prepare(new CredentialSettings(null, "admin-key-12345678", null, null), true);
    prepare(new CredentialSettings(null, "admin-key-87654321", null, null), true);
    assertThat(roles("admin-key-87654321")).containsExactly(Role.ADMIN);
    assertThat(new KeyRing(keys, System::nanoTime).find("admin-key-12345678")).isEmpty();
  }

  @Test
  void a_second_node_makes_no_keys_of_its_own() {
    prepare(NONE, false);
    var second = new FirstKeys(keys, secrets, data.resolve("second")).prepare(NONE, false);
    assertThat(second.adminKey()).isNull();
    assertThat(second.bbdSecret()).isEqualTo(prepare(NONE, false).bbdSecret());
    assertThat(keys.allActive()).hasSize(2);
  }

  @Test
  void a_file_that_others_can_read_stops_the_start() throws IOException {
    prepare(NONE, true);
    Files.setPosixFilePermissions(
        data.resolve("credentials.properties"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> prepare(NONE, true))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("can be read by others");
  }

  @Test
  void no_key_is_stored_as_it_is() {
    var made = prepare(NONE, true);
    assertThat(keys.allActive())
        .allSatisfy(
            it -> assertThat(it.toString()).doesNotContain(String.valueOf(made.adminKey())));
    assertThat(made.toString()).doesNotContain(String.valueOf(made.adminKey()));
  }

  private Credentials prepare(CredentialSettings given, boolean embedded) {
    return new FirstKeys(keys, secrets, data).prepare(given, embedded);
  }

  private Iterable<Role> roles(String key) {
    return new KeyRing(keys, System::nanoTime).find(String.valueOf(key)).orElseThrow().roles();
  }
}
