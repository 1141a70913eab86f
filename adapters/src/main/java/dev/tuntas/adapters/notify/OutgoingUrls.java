package dev.tuntas.adapters.notify;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Decides where this program may send to: by https, to public addresses only. A name is resolved
/// once, and the address that was judged is the one to connect to.
public final class OutgoingUrls {

  private static final Set<Integer> PORTS = Set.of(443, 8443);
  private static final int URL_MAX = 2_000;

  /// Finds the addresses of a name.
  @FunctionalInterface
  public interface Names {
    InetAddress[] of(String host) throws UnknownHostException;
  }

  /// A place that was judged and found good.
  record Target(URI url, InetAddress address, int port, boolean tls) {}

  /// A place where nothing may be sent to.
  static final class NotAllowedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotAllowedException(String why) {
      super(why);
    }
  }

  private final boolean localAllowed;
  private final Names names;

  OutgoingUrls(boolean localAllowed, Names names) {
    this.localAllowed = localAllowed;
    this.names = names;
  }

  /// @param localAllowed plain http, any port and private addresses too: for tests and closed
  ///   networks
  public static OutgoingUrls of(boolean localAllowed) {
    return new OutgoingUrls(localAllowed, InetAddress::getAllByName);
  }

  /// Why nothing may be sent to this URL, in a sentence. What cannot be resolved now may be
  /// resolvable later and is no objection.
  public Optional<String> objection(String url) {
    try {
      resolve(url);
      return Optional.empty();
    } catch (NotAllowedException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (UnknownHostException _) {
      return Optional.empty();
    }
  }

  Target resolve(String text) throws NotAllowedException, UnknownHostException {
    var url = parse(text);
    boolean tls = scheme(url).equals("https");
    int port = url.getPort() != -1 ? url.getPort() : tls ? 443 : 80;
    if (!localAllowed && !PORTS.contains(port)) {
      throw new NotAllowedException("The URL's port must be 443 or 8443.");
    }
    var addresses = names.of(host(url));
    if (addresses.length == 0) throw new UnknownHostException("no address");
    for (var address : addresses) {
      // One bad address is enough: which one is used must not be a matter of luck.
      if (!localAllowed && !AddressRange.isPublic(address)) {
        throw new NotAllowedException("The URL leads to an address that is not public.");
      }
    }
    return new Target(url, addresses[0], port, tls);
  }

  private URI parse(String text) throws NotAllowedException {
    if (text.length() > URL_MAX) throw new NotAllowedException("The URL is too long.");
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      throw new NotAllowedException("The URL cannot be read.");
    }
    var scheme = scheme(url);
    if (!scheme.equals("https") && !(localAllowed && scheme.equals("http"))) {
      throw new NotAllowedException("The URL must begin with https://.");
    }
    if (url.getRawUserInfo() != null) {
      throw new NotAllowedException("The URL may not name a user.");
    }
    if (url.getRawFragment() != null) {
      throw new NotAllowedException("The URL may not have a fragment.");
    }
    if (url.getHost() == null || isDisguised(url.getHost())) {
      throw new NotAllowedException("The URL names no host.");
    }
    return url;
  }

  private static String scheme(URI url) {
    return url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
  }

  /// A number that some resolvers take for an address: `0x7f000001`, `127.1`.
  private static boolean isDisguised(String host) {
    return host.matches("(.*\\.)?\\d[^.]*\\.?") && !host.matches("\\d{1,3}(\\.\\d{1,3}){3}");
  }

  /// The host as a resolver wants it: an IPv6 address without its brackets.
  static String host(URI url) {
    var host = url.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
