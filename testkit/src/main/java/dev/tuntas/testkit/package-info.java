/// What a test of a saga or of a store needs.
@NullMarked
package dev.tuntas.testkit;

import org.jspecify.annotations.NullMarked;
