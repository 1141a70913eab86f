package dev.tuntas.adapters.http;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Where a service is, how it knows us, and how long to wait for it.
///
/// @param url without the `/api` that all paths begin with
/// @param timeout from the first byte sent to the last byte read
public record ServiceSettings(
    URI url, @Nullable String key, Duration connectTimeout, Duration timeout) {

  public ServiceSettings {
    var scheme = url.getScheme();
    boolean web = "http".equals(scheme) || "https".equals(scheme);
    if (!web || url.getHost() == null || url.getRawQuery() != null || url.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "the URL of a service is like http://host:port, not " + url.getHost());
    }
    if (!connectTimeout.isPositive() || !timeout.isPositive()) {
      throw new IllegalArgumentException("a timeout is longer than nothing");
    }
  }

  /// Two seconds to connect, ten for everything.
  public static ServiceSettings of(URI url, @Nullable String key) {
    return new ServiceSettings(url, key, Duration.ofSeconds(2), Duration.ofSeconds(10));
  }

  /// An address at this service.
  URI at(String path) {
    return URI.create(url.toString().replaceFirst("/+$", "") + path);
  }

  @Override
  public String toString() {
    return "ServiceSettings[" + url + "]"; // without the key
  }
}
