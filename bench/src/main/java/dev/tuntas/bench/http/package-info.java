/// Measures the server through its front door.
@NullMarked
package dev.tuntas.bench.http;

import org.jspecify.annotations.NullMarked;
