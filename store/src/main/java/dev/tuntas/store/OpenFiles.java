package dev.tuntas.store;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// How many files this process has open: at the limit, what cannot be opened does not say why.
final class OpenFiles {

  /// Whoever failed has closed some of its own by the time it is asked.
  private static final int FEW = 32;

  private OpenFiles() {}

  /// A sentence to append to a failure, if the limit may be its cause; otherwise nothing.
  static String hint() {
    if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
      return "";
    }
    long most = unix.getMaxFileDescriptorCount();
    long open = open(unix, most);
    if (open + FEW < most) return "";
    return ". This process has %d files and sockets open and may have %d: raise its limit of open files (ulimit -n, or LimitNOFILE of the service)"
        .formatted(open, most);
  }

  /// To count them one more must be opened.
  private static long open(UnixOperatingSystemMXBean unix, long most) {
    try {
      return unix.getOpenFileDescriptorCount();
    } catch (InternalError _) {
      return most;
    }
  }
}
