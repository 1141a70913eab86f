/// The platform as one program.
@NullMarked
package dev.tuntas.server;

import org.jspecify.annotations.NullMarked;
