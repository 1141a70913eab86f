/// A checkout with a bank and a warehouse that keep ledgers of their own: the saga that the
/// simulation runs by default.
@NullMarked
package dev.tuntas.testkit.checkout;

import org.jspecify.annotations.NullMarked;
