/// How much work is taken on at once.
@NullMarked
package dev.tuntas.server.load;

import org.jspecify.annotations.NullMarked;
