/// Inventory, payment and cart as services of their own, and the dispatch partner, reached over
/// HTTP: see `docs/services.md`.
@NullMarked
package dev.tuntas.adapters.http;

import org.jspecify.annotations.NullMarked;
