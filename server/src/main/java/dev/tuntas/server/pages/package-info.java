/// The pages for people.
@NullMarked
package dev.tuntas.server.pages;

import org.jspecify.annotations.NullMarked;
