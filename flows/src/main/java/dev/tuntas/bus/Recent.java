package dev.tuntas.bus;

/// What was taken lately, in a fast place that may forget or be wrong: it never decides.
public interface Recent {

  Recent NONE =
      new Recent() {
        @Override
        public boolean seen(String id) {
          return false;
        }

        @Override
        public void remember(String id) {}
      };

  /// @param id queue and message
  boolean seen(String id);

  void remember(String id);
}
