package dev.tuntas.bench.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/// Where each process of a cluster will be, so that all of them can be told about the others.
record Places(List<Place> all) {

  record Place(String name, Kind kind, int port) {

    String url() {
      return "http://127.0.0.1:" + port;
    }
  }

  static Places of(int web, int workers, IntSupplier ports) {
    var all = new ArrayList<Place>();
    for (int no = 1; no <= web; no++) all.add(new Place("web-" + no, Kind.WEB, ports.getAsInt()));
    for (int no = 1; no <= workers; no++) {
      all.add(new Place("worker-" + no, Kind.WORKER, ports.getAsInt()));
    }
    for (var kind : List.of(Kind.INVENTORY, Kind.PAYMENT, Kind.SIMULATOR)) {
      all.add(new Place(kind.word(), kind, ports.getAsInt()));
    }
    return new Places(List.copyOf(all));
  }

  private String url(Kind kind) {
    return all.stream().filter(place -> place.kind == kind).findFirst().orElseThrow().url();
  }

  /// What a process has to know about the others. A service is not told where it is itself.
  List<String> arguments(Place place) {
    var arguments = new ArrayList<String>();
    arguments.add("--tuntas.roles=" + place.kind.roles());
    if (place.kind != Kind.INVENTORY) add(arguments, "inventory", url(Kind.INVENTORY));
    if (place.kind != Kind.PAYMENT) add(arguments, "payment", url(Kind.PAYMENT));
    if (place.kind == Kind.PAYMENT) add(arguments, "bank", url(Kind.SIMULATOR) + "/partner/bank");
    if (place.kind == Kind.SIMULATOR) {
      var callbacks = url(Kind.WEB) + "/api/v1/callbacks/bbd";
      arguments.add("--tuntas.partners.bbd.callback-url=" + callbacks);
    } else {
      add(arguments, "cart", url(Kind.SIMULATOR));
      add(arguments, "bbd", url(Kind.SIMULATOR) + "/partner/bbd");
    }
    return arguments;
  }

  private static void add(List<String> arguments, String partner, String url) {
    arguments.add("--tuntas.partners." + partner + ".url=" + url);
  }
}
