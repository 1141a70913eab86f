/// Kills the server again and again while customers place orders, and holds what they were told
/// against what came of it.
@NullMarked
package dev.tuntas.bench.chaos;

import org.jspecify.annotations.NullMarked;
