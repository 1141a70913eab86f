package dev.tuntas.engine;

/// How a saga's row stands: owned by a process, asleep until its due time, or at rest.
public enum Status {
  RUNNING('R'),
  WAITING('W'),
  HELD('H'),
  DONE('D'),
  UNDONE('U');

  private final char code;

  Status(char code) {
    this.code = code;
  }

  public char code() {
    return code;
  }

  public boolean isEnd() {
    return this == DONE || this == UNDONE;
  }

  public static Status of(char code) {
    for (var status : values()) if (status.code == code) return status;
    throw new IllegalArgumentException("no status has the code '" + code + "'");
  }
}
