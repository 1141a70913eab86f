package dev.tuntas.bench;

/// A figure that the engine should reach.
record Target(String figure, double measured, Bound bound, double wanted) {

  enum Bound {
    AT_LEAST(">="),
    AT_MOST("<=");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }
  }

  static Target atLeast(String figure, double measured, double wanted) {
    return new Target(figure, measured, Bound.AT_LEAST, wanted);
  }

  static Target atMost(String figure, double measured, double wanted) {
    return new Target(figure, measured, Bound.AT_MOST, wanted);
  }

  boolean met() {
    return switch (bound) {
      case AT_LEAST -> measured >= wanted;
      case AT_MOST -> measured <= wanted;
    };
  }

  void addTo(TextTable table) {
    var limit = bound.sign + " " + Figures.plain(wanted);
    table.row(figure, Figures.plain(measured), limit, met() ? "yes" : "no");
  }
}
