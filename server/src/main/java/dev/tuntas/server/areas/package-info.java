/// Areas over HTTP: whether an order may come in, and what people decide about that.
@NullMarked
package dev.tuntas.server.areas;

import org.jspecify.annotations.NullMarked;
