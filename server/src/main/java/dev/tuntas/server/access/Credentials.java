package dev.tuntas.server.access;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The keys and secrets that this process was started with or made itself.
///
/// @param file where the keys are that were made
public record Credentials(
    @Nullable String clientKey,
    @Nullable String adminKey,
    @Nullable String serviceKey,
    String bbdSecret,
    @Nullable Path file) {

  /// Without any of them.
  @Override
  public String toString() {
    return "Credentials[...]";
  }
}
