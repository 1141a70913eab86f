/// Ways to reach people: chat, mail, webhooks.
@NullMarked
package dev.tuntas.adapters.notify;

import org.jspecify.annotations.NullMarked;
