package dev.tuntas.bench.faults;

import dev.tuntas.bench.chaos.Door;
import dev.tuntas.bench.chaos.Told;
import dev.tuntas.bench.chaos.Told.Asked;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/// All that customers saw, with the time.
record Sightings(Collection<Sighting> all) implements Door.Witness {

  /// One request.
  ///
  /// @param status 0 if no answer came
  /// @param wrote whether the answer says that a new order was written down
  record Sighting(long askedAt, long answeredAt, int status, boolean wrote) {}

  static Sightings none() {
    return new Sightings(new ConcurrentLinkedQueue<>());
  }

  @Override
  public void saw(long askedAt, Optional<Told> told) {
    int status = told.map(Told::status).orElse(0);
    boolean wrote =
        told.filter(it -> it.asked() == Asked.PLACE && !it.replayed() && it.orderId().isPresent())
            .isPresent();
    all.add(new Sighting(askedAt, System.nanoTime(), status, wrote));
  }

  /// What was asked in this time.
  Sightings between(long from, long to) {
    return new Sightings(
        all.stream().filter(one -> one.askedAt >= from && one.askedAt < to).toList());
  }

  long count(Predicate<Sighting> which) {
    return all.stream().filter(which).count();
  }

  /// Answers with this status, in hundreds.
  long hundreds(int hundred) {
    return count(one -> one.status / 100 == hundred);
  }

  long unavailable() {
    return count(one -> one.status == 503);
  }

  long otherErrors() {
    return hundreds(5) - unavailable();
  }

  long silences() {
    return count(one -> one.status == 0);
  }

  /// How many of all were refused or heard nothing.
  double refusedShare() {
    return all.isEmpty() ? 0 : (double) (hundreds(5) + silences()) / all.size();
  }

  long written() {
    return count(Sighting::wrote);
  }

  /// How long half of those whose orders were written down waited at most for the answer.
  OptionalDouble acceptedWithinSeconds() {
    var waits =
        all.stream()
            .filter(Sighting::wrote)
            .mapToLong(one -> one.answeredAt - one.askedAt)
            .sorted()
            .toArray();
    return waits.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(waits[(waits.length - 1) / 2] / 1e9);
  }

  /// When new orders were written down, in order.
  List<Long> writes() {
    return all.stream().filter(Sighting::wrote).map(Sighting::answeredAt).sorted().toList();
  }
}
