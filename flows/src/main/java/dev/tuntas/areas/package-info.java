/// Areas, how many orders wait in them, and whether one more may.
@NullMarked
package dev.tuntas.areas;

import org.jspecify.annotations.NullMarked;
