/// What can be configured: one validated record for each concern.
@NullMarked
package dev.tuntas.server.settings;

import org.jspecify.annotations.NullMarked;
