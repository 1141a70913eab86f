/// The record of what operators did, and whether it is as it was written.
@NullMarked
package dev.tuntas.audit;

import org.jspecify.annotations.NullMarked;
