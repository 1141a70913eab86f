/// Whether this process can go on, and what it does if it cannot.
@NullMarked
package dev.tuntas.server.watch;

import org.jspecify.annotations.NullMarked;
