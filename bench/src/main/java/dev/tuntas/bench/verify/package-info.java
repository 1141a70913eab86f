/// Recomputes from the tables and ledgers what must always be true.
@NullMarked
package dev.tuntas.bench.verify;

import org.jspecify.annotations.NullMarked;
