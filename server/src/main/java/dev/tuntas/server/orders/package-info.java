/// Orders over HTTP: placing them, looking at them, following and cancelling them.
@NullMarked
package dev.tuntas.server.orders;

import org.jspecify.annotations.NullMarked;
