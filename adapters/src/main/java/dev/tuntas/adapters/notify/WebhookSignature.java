package dev.tuntas.adapters.notify;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs by the Standard Webhooks scheme: HMAC-SHA256 of `id.timestamp.body`, with the bytes of the
/// secret as the key.
public final class WebhookSignature {

  private static final int SECRET_MIN = 16;

  private final SecretKeySpec key;

  public WebhookSignature(String secret) {
    if (secret.length() < SECRET_MIN) {
      throw new IllegalArgumentException(
          "a webhook secret has at least " + SECRET_MIN + " characters");
    }
    key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
  }

  /// The value of `webhook-signature`.
  public String of(String id, long timestamp, byte[] body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java has HmacSHA256
    }
  }
}
