/// Charges and refunds. A service of its own.
@NullMarked
package dev.tuntas.payment;

import org.jspecify.annotations.NullMarked;
