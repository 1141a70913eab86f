/// Orders: how they are accepted, where they stand, and what the world hears of them.
@NullMarked
package dev.tuntas.orders;

import org.jspecify.annotations.NullMarked;
