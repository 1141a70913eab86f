package dev.tuntas.server.settings;

/// A setting is wrong: the message is a sentence for the person who set it.
public final class SettingsException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public SettingsException(String sentence) {
    super(sentence);
  }
}
