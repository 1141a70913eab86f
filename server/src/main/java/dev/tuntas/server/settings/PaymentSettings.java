package dev.tuntas.server.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/// The payment service.
public record PaymentSettings(@DefaultValue("false") boolean idempotencyRedisCache) {}
