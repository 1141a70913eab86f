package dev.tuntas.bench.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What one load came to.
///
/// @param factor how many times the capacity came in
/// @param seconds for how long it came in; its answers may have come later
/// @param uncertainty of the rates: the standard error of its turns, as a share
record Phase(
    double factor, double offered, double seconds, Tally tally, Change change, double uncertainty) {

  /// What it did to the server.
  ///
  /// @param backlog by how many per second the open orders grew
  /// @param cpu how many processors were busy with it
  record Change(double backlog, Cpu.Used cpu) {}

  /// How many orders were open at a moment, and the work done until then.
  record Mark(long nanos, long open, Cpu.Used cpu) {

    Mark since(Mark before) {
      return new Mark(nanos - before.nanos, open - before.open, cpu.since(before.cpu));
    }

    private Mark plus(Mark other) {
      return new Mark(nanos + other.nanos, open + other.open, cpu.plus(other.cpu));
    }

    private Change perSecond() {
      double seconds = nanos / 1e9;
      return new Change(open / seconds, cpu.per(seconds));
    }
  }

  /// Several turns of the same load.
  static final class Sum {

    private final double factor;
    private final double offered;
    private final Tally tally = new Tally();
    private Duration span = Duration.ZERO;
    private Mark all = new Mark(0, 0, new Cpu.Used(0, 0));
    private final List<Double> rates = new ArrayList<>();
    private long counted;

    Sum(double factor, double offered) {
      this.factor = factor;
      this.offered = offered;
    }

    double factor() {
      return factor;
    }

    double offered() {
      return offered;
    }

    Tally tally() {
      return tally;
    }

    void add(Duration turn, Mark change) {
      span = span.plus(turn);
      all = all.plus(change);
      rates.add((tally.useful() - counted) / (turn.toNanos() / 1e9));
      counted = tally.useful();
    }

    private double uncertainty() {
      double mean = rates.stream().mapToDouble(rate -> rate).average().orElse(Double.NaN);
      double squares = rates.stream().mapToDouble(rate -> (rate - mean) * (rate - mean)).sum();
      return Math.sqrt(squares / (rates.size() - 1) / rates.size()) / mean;
    }

    Phase get() {
      return new Phase(
          factor, offered, span.toNanos() / 1e9, tally, all.perSecond(), uncertainty());
    }
  }

  /// Orders per second that were both accepted in time and worked off. What was let in and is not
  /// finished is no good yet, and what was let in before and ends now does not tell what this load
  /// leaves room for.
  double goodput() {
    return Math.min(acceptedInTime(), endedPerSecond());
  }

  double endedPerSecond() {
    return acceptedPerSecond() - change.backlog;
  }

  double acceptedInTime() {
    return tally.useful() / seconds;
  }

  private double acceptedPerSecond() {
    return tally.accepted() / seconds;
  }

  double shedPerSecond() {
    return tally.shed() / seconds;
  }

  double notSentPerSecond() {
    return tally.notSent() / seconds;
  }
}
