/// Real servers for tests, on this machine and for as long as the tests run.
@NullMarked
package dev.tuntas.testservers;

import org.jspecify.annotations.NullMarked;
