/// Real classes under a scheduler of our own: which thread goes on, and when, is drawn by a seed.
@NullMarked
package dev.tuntas.testkit.threads;

import org.jspecify.annotations.NullMarked;
