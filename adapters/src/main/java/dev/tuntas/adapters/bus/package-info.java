/// The message bus on brokers: Kafka, and whatever speaks AMQP 0-9-1.
@NullMarked
package dev.tuntas.adapters.bus;

import org.jspecify.annotations.NullMarked;
