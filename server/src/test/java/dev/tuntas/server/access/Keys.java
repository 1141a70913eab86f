package dev.tuntas.server.access;

import static java.util.stream.Collectors.joining;

import dev.tuntas.server.Client;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/// One key for each role, made through the API when a test first asks for it.
public final class Keys {

  private static final Map<Role, String> MADE = new EnumMap<>(Role.class);

  private Keys() {}

  public static synchronized String of(Role role) {
    return MADE.computeIfAbsent(role, it -> make("tests-" + it.text(), it));
  }

  /// A key that no other test uses, for what is counted by key.
  public static String make(String client, Role... roles) {
    var names = Stream.of(roles).map(role -> '"' + role.text() + '"').collect(joining(","));
    var body = "{\"client\":\"" + client + "\",\"roles\":[" + names + "]}";
    return Client.admin().post("/api/v1/admin/keys", body).json().get("key").stringValue();
  }
}
