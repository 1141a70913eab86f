/// The server as a process of its own, which others may kill.
@NullMarked
package dev.tuntas.bench.server;

import org.jspecify.annotations.NullMarked;
