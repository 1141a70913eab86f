package dev.tuntas.bench.http;

/// What one phase of load came to.
///
/// @param factor how many times the capacity came in
/// @param ended orders per second that ended meanwhile
/// @param backlog by how many per second the open orders grew
record Phase(double factor, double offered, double seconds, Tally tally, double backlog) {

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

  double ended() {
    return acceptedPerSecond() - backlog;
  }
}
