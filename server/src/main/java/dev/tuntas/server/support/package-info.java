/// The support desk over HTTP, and what it needs of the engine.
@NullMarked
package dev.tuntas.server.support;

import org.jspecify.annotations.NullMarked;
