/// Rides: a partner dispatches drivers, and its callbacks get lost.
@NullMarked
package dev.tuntas.rides;

import org.jspecify.annotations.NullMarked;
