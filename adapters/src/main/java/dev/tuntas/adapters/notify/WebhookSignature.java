package dev.tuntas.adapters.notify;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs and verifies by the Standard Webhooks scheme: HMAC-SHA256 of `id.timestamp.body`, with the
/// bytes of the secret as the key.
public final class WebhookSignature {

  private static final int SECRET_MIN = 8;
  private static final String PREFIX = "v1,";

  /// Whoever sends more than this is guessing.
  private static final int CANDIDATES_MAX = 5;

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
    return PREFIX + Base64.getEncoder().encodeToString(mac(id, Long.toString(timestamp), body));
  }

  /// Whether one of the first signatures in a header of `webhook-signature` is ours. How long that
  /// takes does not depend on how much of it is right.
  public boolean isIn(String header, String id, String timestamp, byte[] body) {
    var right = mac(id, timestamp, body);
    var candidates = header.strip().split(" +", CANDIDATES_MAX + 1);
    boolean found = false;
    for (int i = 0; i < Math.min(candidates.length, CANDIDATES_MAX); i++) {
      found |= MessageDigest.isEqual(right, decoded(candidates[i]));
    }
    return found;
  }

  private static byte[] decoded(String candidate) {
    if (!candidate.startsWith(PREFIX)) return new byte[0];
    try {
      return Base64.getDecoder().decode(candidate.substring(PREFIX.length()));
    } catch (IllegalArgumentException _) {
      return new byte[0];
    }
  }

  private byte[] mac(String id, String timestamp, byte[] body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java has HmacSHA256
    }
  }
}
