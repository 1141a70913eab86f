package dev.tuntas.adapters.http;

import dev.tuntas.inventory.Catalogue;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.saga.Outcome.Unclear;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/// The catalogue of an inventory that is a service of its own. It asks for one price at a time.
public final class HttpCatalogue implements Catalogue {

  private final ServiceClient service;

  public HttpCatalogue(ServiceClient service) {
    this.service = service;
  }

  @Override
  public Outcome<Map<String, Money>> items(Collection<String> skus) {
    return prices("/api/v1/inventory/items/", skus);
  }

  @Override
  public Outcome<Map<String, Money>> rooms(Collection<String> roomIds) {
    return prices("/api/v1/inventory/rooms/", roomIds);
  }

  private Outcome<Map<String, Money>> prices(String path, Collection<String> ids) {
    var prices = new HashMap<String, Money>();
    for (var id : new LinkedHashSet<>(ids)) {
      switch (price(path, id)) {
        case Succeeded(var price) -> prices.put(id, price);
        case Failed(var failure) when failure.code().equals(Reply.NOT_FOUND) -> {} // no such thing
        case Failed(var failure) -> {
          return new Failed<>(failure);
        }
        case Unclear(var why, _) -> {
          return Outcome.unavailable("catalogue_unavailable", why); // reading changes nothing
        }
      }
    }
    return Outcome.done(prices);
  }

  private Outcome<Money> price(String path, String id) {
    return service.get(path + Bodies.encoded(id), answer -> Bodies.money(answer.path("price")));
  }
}
