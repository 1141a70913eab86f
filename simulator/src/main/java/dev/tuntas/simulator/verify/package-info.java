/// Holds what the platform says against what its partners say, invariant by invariant.
@NullMarked
package dev.tuntas.simulator.verify;

import org.jspecify.annotations.NullMarked;
