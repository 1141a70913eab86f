/// Shopping carts. A service of its own.
@NullMarked
package dev.tuntas.cart;

import org.jspecify.annotations.NullMarked;
