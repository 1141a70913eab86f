/// A program that is killed again and again while it runs sagas.
@NullMarked
package dev.tuntas.crashtest;

import org.jspecify.annotations.NullMarked;
