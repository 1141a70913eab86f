package dev.tuntas.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One page of a list, newest first, and where the next one begins.
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Page<T>(List<T> items, @Nullable String nextCursor) {}
