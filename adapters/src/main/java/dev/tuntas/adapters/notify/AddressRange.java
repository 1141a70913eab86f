package dev.tuntas.adapters.notify;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Addresses that begin with the same bits.
record AddressRange(InetAddress first, int bits) {

  /// Everything that is not somewhere in the public internet: this machine, its networks, and what
  /// leads there in disguise.
  static final List<AddressRange> NOT_PUBLIC =
      List.of(
          of("0.0.0.0", 8),
          of("10.0.0.0", 8),
          of("100.64.0.0", 10), // carrier-grade NAT
          of("127.0.0.0", 8),
          of("169.254.0.0", 16), // link-local, with the metadata services of clouds
          of("172.16.0.0", 12),
          of("192.0.0.0", 24),
          of("192.0.2.0", 24),
          of("192.88.99.0", 24),
          of("192.168.0.0", 16),
          of("198.18.0.0", 15),
          of("198.51.100.0", 24),
          of("203.0.113.0", 24),
          of("224.0.0.0", 3), // multicast, reserved, broadcast
          of("::", 96), // unspecified, loopback, IPv4-compatible
          of("64:ff9b::", 32), // IPv4 behind NAT64
          of("100::", 64),
          of("2001::", 23), // among them Teredo
          of("2001:db8::", 32),
          of("2002::", 16), // 6to4
          of("fc00::", 7),
          of("fe80::", 9)); // link-local and site-local

  static boolean isPublic(InetAddress address) {
    return !address.isMulticastAddress()
        && NOT_PUBLIC.stream().noneMatch(range -> range.contains(address));
  }

  private static AddressRange of(String first, int bits) {
    try {
      return new AddressRange(InetAddress.getByName(first), bits);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // a literal needs no look-up
    }
  }

  boolean contains(InetAddress address) {
    var wanted = first.getAddress();
    var given = address.getAddress();
    if (wanted.length != given.length) return false;
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> bit % 8;
      if ((wanted[bit / 8] & mask) != (given[bit / 8] & mask)) return false;
    }
    return true;
  }
}
