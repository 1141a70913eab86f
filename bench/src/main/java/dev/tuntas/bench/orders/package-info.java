/// The orders of the platform in the simulation: their sagas, our own inventory and payment, and a
/// bank with a ledger of its own.
@NullMarked
package dev.tuntas.bench.orders;

import org.jspecify.annotations.NullMarked;
