/// What the author of a saga writes.
@NullMarked
package dev.tuntas.saga;

import org.jspecify.annotations.NullMarked;
