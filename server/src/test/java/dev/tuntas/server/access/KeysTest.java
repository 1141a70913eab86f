package dev.tuntas.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import org.junit.jupiter.api.Test;

/// Keys as their users meet them: over HTTP.
final class KeysTest {

  private static final String PATH = "/api/v1/admin/keys";
  private final Client admin = Client.admin();

  @Test
  void a_new_key_works_at_once_and_is_shown_this_once() {
    var made = admin.post(PATH, "{\"client\":\"shop\",\"roles\":[\"viewer\",\"client\"]}");
    assertThat(made.status()).isEqualTo(201);
    var key = made.json().get("key").stringValue();
    assertThat(key).matches("tk_[A-Za-z0-9_-]{43}");
    assertThat(admin.with(key).get("/actuator/prometheus").status()).isEqualTo(200);
    var listed = admin.get(PATH + "?limit=100").body();
    assertThat(listed).contains(made.json().get("id").stringValue()).doesNotContain(key);
  }

  @Test
  void a_revoked_key_no_longer_works_and_revoking_again_changes_nothing() {
    var made = admin.post(PATH, "{\"client\":\"shop\",\"roles\":[\"viewer\"]}").json();
    var caller = admin.with(made.get("key").stringValue());
    var path = PATH + "/" + made.get("id").stringValue();
    assertThat(caller.get("/actuator/prometheus").status()).isEqualTo(200);
    assertThat(admin.send("DELETE", path, "").status()).isEqualTo(204);
    assertThat(caller.get("/actuator/prometheus").code()).isEqualTo("unauthenticated");
    assertThat(admin.send("DELETE", path, "").status()).isEqualTo(204);
  }

  @Test
  void a_key_is_trusted_unless_it_is_made_otherwise() {
    var usual = admin.post(PATH, "{\"client\":\"shop\",\"roles\":[\"client\"]}").json();
    assertThat(usual.get("trusted").booleanValue()).isTrue();
    var body = "{\"client\":\"app\",\"roles\":[\"client\"],\"trusted\":%s}";
    assertThat(admin.post(PATH, body.formatted("\"no\"")).code()).isEqualTo("field_type");
    var other = admin.post(PATH, body.formatted("false")).json();
    assertThat(other.get("trusted").booleanValue()).isFalse();
    var listed = admin.get(PATH + "?limit=1").json().get("items").get(0);
    assertThat(listed.get("id")).isEqualTo(other.get("id"));
    assertThat(listed.get("trusted").booleanValue()).isFalse();
  }

  @Test
  void an_unknown_key_cannot_be_revoked() {
    assertThat(admin.send("DELETE", PATH + "/key_nope", "").code()).isEqualTo("not_found");
  }

  @Test
  void pages_of_keys_go_on_where_the_one_before_ended() {
    for (int i = 0; i < 3; i++) admin.post(PATH, "{\"client\":\"many\",\"roles\":[\"client\"]}");
    var first = admin.get(PATH + "?limit=2").json();
    assertThat(first.get("items").size()).isEqualTo(2);
    var cursor = first.get("next_cursor").stringValue();
    var second = admin.get(PATH + "?limit=2&cursor=" + cursor).json();
    assertThat(second.get("items").get(0).get("id"))
        .isNotEqualTo(first.get("items").get(1).get("id"));
    assertThat(second.get("items").get(0).get("created_at").stringValue())
        .isLessThanOrEqualTo(first.get("items").get(1).get("created_at").stringValue());
  }
}
