/// Tells people: the support team and customers, once for every cause.
@NullMarked
package dev.tuntas.notify;

import org.jspecify.annotations.NullMarked;
