package dev.tuntas.bench;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Where the engine can keep its sagas.
public enum StoreKind {
  SQLITE("SQLite"),
  POSTGRES("PostgreSQL");

  private final String title;

  StoreKind(String title) {
    this.title = title;
  }

  /// Its name for people.
  public String title() {
    return title;
  }

  /// As on the command line.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Reads it from the command line.
  public static final class Reader implements ITypeConverter<StoreKind> {
    @Override
    public StoreKind convert(String text) {
      for (var kind : values()) if (kind.toString().equals(text)) return kind;
      throw new TypeConversionException("'" + text + "' is neither sqlite nor postgres");
    }
  }
}
