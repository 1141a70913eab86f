package dev.tuntas.adapters.bus;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Text on the wire.
final class Utf8 {

  private Utf8() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// What is no text becomes a question mark.
  static String guessed(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// Refuses what is no text, instead of guessing.
  static String text(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
