/// A bank, a warehouse and a cart service that can be told to fail, with ledgers of their own.
@NullMarked
package dev.tuntas.simulator;

import org.jspecify.annotations.NullMarked;
