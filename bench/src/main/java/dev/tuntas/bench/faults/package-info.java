/// `./tuntas faults`: the running server while one thing after the other goes wrong around it.
@NullMarked
package dev.tuntas.bench.faults;

import org.jspecify.annotations.NullMarked;
