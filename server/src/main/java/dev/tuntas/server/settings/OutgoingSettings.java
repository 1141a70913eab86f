package dev.tuntas.server.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/// Where this server may send to.
///
/// @param allowLocal also to addresses that are not public, and without TLS: for trials only
public record OutgoingSettings(@DefaultValue("false") boolean allowLocal) {}
