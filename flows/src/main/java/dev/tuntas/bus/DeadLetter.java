package dev.tuntas.bus;

/// The names of the headers that say why a message is a dead letter, and where it was.
public final class DeadLetter {

  public static final String REASON = "dlq-reason";
  public static final String QUEUE = "dlq-queue";
  public static final String ATTEMPTS = "dlq-attempts";
  public static final String AT = "dlq-at";

  /// Kafka only.
  public static final String TOPIC = "dlq-topic";

  public static final String PARTITION = "dlq-partition";
  public static final String OFFSET = "dlq-offset";

  /// What is added to the name of a queue or topic.
  public static final String SUFFIX = ".dlq";

  private DeadLetter() {}
}
