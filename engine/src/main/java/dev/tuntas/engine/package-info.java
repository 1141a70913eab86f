/// What moves a saga from one state to the next.
@NullMarked
package dev.tuntas.engine;

import org.jspecify.annotations.NullMarked;
