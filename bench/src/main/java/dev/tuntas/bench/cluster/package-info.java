/// The platform as many processes on one machine: PostgreSQL, Redis and Kafka out of jars, and a
/// process for each role.
@NullMarked
package dev.tuntas.bench.cluster;

import org.jspecify.annotations.NullMarked;
