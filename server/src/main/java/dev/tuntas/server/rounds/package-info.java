/// Work that is done again and again in the background.
@NullMarked
package dev.tuntas.server.rounds;

import org.jspecify.annotations.NullMarked;
