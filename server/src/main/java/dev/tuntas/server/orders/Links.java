package dev.tuntas.server.orders;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where an order is found. Without a public address, links are relative.
public final class Links {

  private final String base;

  public Links(@Nullable URI publicUrl) {
    var url = publicUrl == null ? "" : publicUrl.toString();
    this.base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  String self(String orderId) {
    return base + "/api/v1/orders/" + orderId;
  }

  /// The customer's page: who has this link may see the order and cancel it.
  public String page(String orderId, String token) {
    return base + "/o/" + orderId + "." + token;
  }

  /// @param token of the page, for who may act for the customer; nothing for others
  Map<String, Object> of(String orderId, @Nullable String token) {
    var links = new LinkedHashMap<String, Object>();
    links.put("self", self(orderId));
    links.put("events", self(orderId) + "/events");
    if (token != null) links.put("page", page(orderId, token));
    return links;
  }
}
