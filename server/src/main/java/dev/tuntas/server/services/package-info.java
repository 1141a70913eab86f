/// Inventory, payment and cart: in this process, over HTTP to others, or reached over HTTP.
@NullMarked
package dev.tuntas.server.services;

import org.jspecify.annotations.NullMarked;
