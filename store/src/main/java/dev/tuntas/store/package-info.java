/// Sagas in PostgreSQL or SQLite.
@NullMarked
package dev.tuntas.store;

import org.jspecify.annotations.NullMarked;
