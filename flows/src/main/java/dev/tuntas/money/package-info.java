/// Amounts of money, as commerce counts them.
@NullMarked
package dev.tuntas.money;

import org.jspecify.annotations.NullMarked;
