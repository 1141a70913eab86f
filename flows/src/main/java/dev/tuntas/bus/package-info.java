/// The message bus: what goes out, what comes in, and how both survive a broker that is away.
@NullMarked
package dev.tuntas.bus;

import org.jspecify.annotations.NullMarked;
