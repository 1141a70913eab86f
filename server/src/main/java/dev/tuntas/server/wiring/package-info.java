/// What is made at the start, of what, and in which order it ends.
@NullMarked
package dev.tuntas.server.wiring;

import org.jspecify.annotations.NullMarked;
