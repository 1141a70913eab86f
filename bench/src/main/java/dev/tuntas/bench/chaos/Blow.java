package dev.tuntas.bench.chaos;

/// What can happen to a cluster, and how often that is drawn compared with the others.
enum Blow {
  KILL_WEB(4),
  KILL_WORKER(7),
  KILL_INVENTORY(2),
  KILL_PAYMENT(2),
  KILL_SIMULATOR(1),
  /// Longer than the others believe it alive.
  PAUSE_WORKER(5),
  RESTART_POSTGRES(1),
  CRASH_POSTGRES(2),
  RESTART_KAFKA(1),
  KILL_KAFKA(1),
  RESTART_RABBITMQ(1),
  KILL_RABBITMQ(1),
  DELETE_QUEUES(3),
  FLUSH_REDIS(2),
  KILL_REDIS(1);

  private final int weight;

  Blow(int weight) {
    this.weight = weight;
  }

  int weight() {
    return weight;
  }
}
