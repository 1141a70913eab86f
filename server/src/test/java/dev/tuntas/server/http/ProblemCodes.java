package dev.tuntas.server.http;

import dev.tuntas.server.Client;
import java.util.Map;
import java.util.TreeMap;

/// The codes that the API's document explains, with their statuses.
final class ProblemCodes {

  Map<String, Integer> all() {
    var codes = new TreeMap<String, Integer>();
    Client.nobody()
        .get("/v3/api-docs")
        .json()
        .get("x-codes")
        .properties()
        .forEach(code -> codes.put(code.getKey(), code.getValue().get(0).asInt()));
    return codes;
  }
}
