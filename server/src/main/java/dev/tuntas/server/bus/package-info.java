/// The message bus in this program: where a broker is configured, and not at all elsewhere.
@NullMarked
package dev.tuntas.server.bus;

import org.jspecify.annotations.NullMarked;
