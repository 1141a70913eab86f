package dev.tuntas.bench.http;

/// What one phase of load came to.
///
/// @param factor how many times the capacity came in
/// @param backlog by how many per second the open orders grew
/// @param cpu how many processors were busy with it
record Phase(
    double factor, double offered, double seconds, Tally tally, double backlog, Cpu.Used cpu) {

  double goodput() {
    return tally.useful() / seconds;
  }

  double acceptedPerSecond() {
    return tally.accepted() / seconds;
  }

  double shedPerSecond() {
    return tally.shed() / seconds;
  }

  double notSentPerSecond() {
    return tally.notSent() / seconds;
  }

  /// Orders per second that ended meanwhile.
  double ended() {
    return acceptedPerSecond() - backlog;
  }
}
