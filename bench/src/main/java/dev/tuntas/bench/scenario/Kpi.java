package dev.tuntas.bench.scenario;

import dev.tuntas.bench.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One of the figures that the design promises, with what it should be.
///
/// @param met `met`, `not met`, or why nothing is asked of it here
record Kpi(String name, String value, String target, String met) {

  private static final double WITH_JOB_ID = 0.999;
  private static final double P95_SECONDS = 10;
  private static final double CALLBACKS = 0.9;
  private static final double MANUAL = 0.001;
  private static final double REDUCTION = 0.3;
  private static final String NOT_HERE = "not asked of this scenario";

  static List<Kpi> of(ScenarioResult result) {
    var orders = result.orders();
    var scenario = result.settings().scenario();
    boolean steady = scenario == Scenario.NORMAL || scenario == Scenario.NO_CALLBACKS;
    boolean telling = scenario != Scenario.NO_CALLBACKS;
    double withJobId = share(orders.within30Min(), orders.accepted());
    double p95 = orders.toJobId().seconds(0.95);
    double manual = share(orders.manual(), orders.accepted());
    var kpis = new ArrayList<Kpi>();
    kpis.add(
        new Kpi(
            "orders with job id", percent(withJobId), ">= 99.9 %", met(withJobId >= WITH_JOB_ID)));
    kpis.add(
        new Kpi(
            "p95 time to job id",
            Figures.plain(p95) + " s",
            "< 10 s",
            steady || scenario == Scenario.FLOOD ? met(p95 < P95_SECONDS) : NOT_HERE));
    kpis.add(
        new Kpi(
            "job ids by callback",
            percent(orders.callbackShare()),
            "> 90 %",
            telling ? met(orders.callbackShare() > CALLBACKS) : NOT_HERE));
    kpis.add(new Kpi("manual intervention", percent(manual), "< 0.1 %", met(manual < MANUAL)));
    kpis.add(
        new Kpi(
            "status updates", percent(orders.updatesOk()), "100 %", met(orders.updatesOk() >= 1)));
    double reduction = result.calls().reduction();
    kpis.add(
        new Kpi(
            "calls saved for job ids", percent(reduction), ">= 30 %", saved(scenario, reduction)));
    kpis.add(new Kpi("support response", "-", "< 24 h", "nobody works at the desk here"));
    return kpis;
  }

  /// Who has no job yet is asked about again and again, whoever asks.
  private static String saved(Scenario scenario, double reduction) {
    if (Double.isNaN(reduction)) return "not known from outside";
    return scenario == Scenario.SLOW_PARTNER ? NOT_HERE : met(reduction >= REDUCTION);
  }

  private static String met(boolean met) {
    return met ? "met" : "not met";
  }

  private static double share(int part, int whole) {
    return whole == 0 ? Double.NaN : (double) part / whole;
  }

  static String percent(double share) {
    return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.2f %%", share * 100);
  }
}
