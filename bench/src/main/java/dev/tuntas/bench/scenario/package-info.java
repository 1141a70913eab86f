/// Load scenarios of rides: a partner that behaves badly, and areas that fill up.
@NullMarked
package dev.tuntas.bench.scenario;

import org.jspecify.annotations.NullMarked;
