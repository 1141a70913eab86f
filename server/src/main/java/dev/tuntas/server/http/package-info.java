/// The edge: what comes in is read strictly, what goes wrong is answered as a problem.
@NullMarked
package dev.tuntas.server.http;

import org.jspecify.annotations.NullMarked;
