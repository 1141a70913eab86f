/// What can be seen of the platform from outside: metrics, logs, traces.
@NullMarked
package dev.tuntas.server.observe;

import org.jspecify.annotations.NullMarked;
