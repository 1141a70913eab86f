package dev.tuntas.bus;

/// A message that can never be taken: nobody would be helped by trying again.
public final class Refused extends Exception {

  private static final long serialVersionUID = 1L;

  public Refused(String reason) {
    super(reason, null, false, false);
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
