/// Runs sagas in virtual time, among services that fail and processes that die, and checks after
/// every event that nothing is lost, done twice or left over.
@NullMarked
package dev.tuntas.testkit.simulation;

import org.jspecify.annotations.NullMarked;
