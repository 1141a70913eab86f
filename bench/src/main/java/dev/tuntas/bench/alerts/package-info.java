/// Alert rules of Prometheus, evaluated over metrics in memory: as much of the language as our own
/// rules use.
@NullMarked
package dev.tuntas.bench.alerts;

import org.jspecify.annotations.NullMarked;
