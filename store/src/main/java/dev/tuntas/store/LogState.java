package dev.tuntas.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How SQLite's write-ahead log fares. What is committed is safe in it; but until it is copied into
/// the database it grows, and so does the time that the next start takes.
///
/// @param bytes its length on the disk
/// @param failingFor for how long it could not be copied; zero if nothing is wrong
/// @param failure why not, if it could not
public record LogState(long bytes, Duration failingFor, @Nullable String failure) {}
