/// Redis as a hint: see `docs/redis.md`. Everything here can be taken away, emptied or filled with
/// nonsense, and no order is decided differently.
@NullMarked
package dev.tuntas.adapters.redis;

import org.jspecify.annotations.NullMarked;
