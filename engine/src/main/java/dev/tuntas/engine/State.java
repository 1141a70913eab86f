package dev.tuntas.engine;

/// A saga at one moment: where it stands, what it remembers, its data.
public record State<D>(Progress progress, Trail trail, D data) {}
