/// Simulations and benchmarks.
@NullMarked
package dev.tuntas.bench;

import org.jspecify.annotations.NullMarked;
