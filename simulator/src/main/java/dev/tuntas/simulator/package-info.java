/// A bank, a warehouse, a cart service and a dispatch partner that can be told to fail, with
/// ledgers of their own.
@NullMarked
package dev.tuntas.simulator;

import org.jspecify.annotations.NullMarked;
