package dev.tuntas.server.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Where a list goes on, as a text that only we can make. A cursor is good for the list and the
/// filters it was made for.
public final class Cursors {

  private static final int SEAL_BYTES = 16;
  private static final int LENGTH_MAX = 1000;
  private final byte[] secret;

  public Cursors(byte[] secret) {
    this.secret = secret.clone();
  }

  public String seal(String list, String position) {
    var bytes = position.getBytes(StandardCharsets.UTF_8);
    var sealed = Arrays.copyOf(mac(list, position), SEAL_BYTES + bytes.length);
    System.arraycopy(bytes, 0, sealed, SEAL_BYTES, bytes.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
  }

  /// The position, or the end of the request if the cursor is not one of ours for this list.
  public String open(String list, String cursor) {
    try {
      if (cursor.length() > LENGTH_MAX) throw invalid();
      var sealed = Base64.getUrlDecoder().decode(cursor);
      if (sealed.length <= SEAL_BYTES) throw invalid();
      var position =
          new String(sealed, SEAL_BYTES, sealed.length - SEAL_BYTES, StandardCharsets.UTF_8);
      // Also refuses a second way to write the same bytes.
      if (!MessageDigest.isEqual(bytes(seal(list, position)), bytes(cursor))) throw invalid();
      return position;
    } catch (IllegalArgumentException _) {
      throw invalid();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] mac(String list, String position) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(bytes(list.length() + ":" + list));
      return Arrays.copyOf(mac.doFinal(bytes(position)), SEAL_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private static ProblemException invalid() {
    return Problem.of(400, "cursor_invalid", "This cursor was not given out for this list.")
        .asException();
  }
}
