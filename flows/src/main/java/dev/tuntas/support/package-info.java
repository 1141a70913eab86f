/// What people do when a program must not decide: tickets, and refunds by hand.
@NullMarked
package dev.tuntas.support;

import org.jspecify.annotations.NullMarked;
