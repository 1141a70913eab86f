package dev.tuntas.server.callbacks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.adapters.notify.WebhookSignature;
import dev.tuntas.server.callbacks.CallbackSecrets.Secret;
import dev.tuntas.server.http.ProblemException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallbackSecretsTest {

  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final byte[] BODY = "{}".getBytes(UTF_8);

  private final WebhookSignature current = new WebhookSignature("the-secret-in-use");
  private final WebhookSignature retired = new WebhookSignature("the-secret-before");

  private static SignedCallback signed(WebhookSignature secret, long seconds) {
    return new SignedCallback("id", "" + seconds, secret.of("id", seconds, BODY), BODY);
  }

  private CallbackSecrets at(Instant now) {
    return new CallbackSecrets(
        List.of(new Secret(current, null), new Secret(retired, NOW)), InstantSource.fixed(now));
  }

  private static String refusal(CallbackSecrets secrets, SignedCallback callback) {
    return catchThrowableOfType(ProblemException.class, () -> secrets.require(callback))
        .problem()
        .code();
  }

  @Test
  void a_retired_secret_is_good_until_its_time_is_over() {
    var before = NOW.minusSeconds(1);
    var callback = signed(retired, before.getEpochSecond());
    assertThatCode(() -> at(before).require(callback)).doesNotThrowAnyException();
    assertThat(refusal(at(NOW), callback)).isEqualTo("signature_invalid");
  }

  @ParameterizedTest
  @ValueSource(longs = {-300, 0, 300})
  void five_minutes_are_recent(long seconds) {
    var callback = signed(current, NOW.getEpochSecond() + seconds);
    assertThatCode(() -> at(NOW).require(callback)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(longs = {-301, 301})
  void more_are_not(long seconds) {
    var callback = signed(current, NOW.getEpochSecond() + seconds);
    assertThat(refusal(at(NOW), callback)).isEqualTo("timestamp_out_of_window");
  }

  @Test
  void what_another_partner_signed_is_not_ours() {
    var other = new WebhookSignature("the-secret-of-another");
    assertThat(refusal(at(NOW), signed(other, NOW.getEpochSecond())))
        .isEqualTo("signature_invalid");
  }
}
