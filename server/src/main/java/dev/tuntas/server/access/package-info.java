/// Who may call what, and the record of what operators did.
@NullMarked
package dev.tuntas.server.access;

import org.jspecify.annotations.NullMarked;
