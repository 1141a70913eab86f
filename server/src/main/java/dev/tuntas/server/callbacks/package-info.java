/// What partners tell us of their own accord: signed, taken once, and handed to the order it is
/// about.
@NullMarked
package dev.tuntas.server.callbacks;

import org.jspecify.annotations.NullMarked;
