/// What is in stock: items, and rooms by the night. A service of its own.
@NullMarked
package dev.tuntas.inventory;

import org.jspecify.annotations.NullMarked;
