package dev.tuntas.server.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/// The OpenAPI document as people read it: one group of calls after the other, then the codes of
/// all problems.
@Component
final class DocsPage {

  record Parameter(String name, String in, boolean required, String description) {}

  record Answer(String status, String description) {}

  record Call(
      String method,
      String path,
      String id,
      String summary,
      String description,
      String roles,
      List<Parameter> parameters,
      String example,
      List<Answer> answers) {}

  record Group(String name, String description, List<Call> calls) {}

  record Code(String code, String status, String meaning) {}

  private static final List<String> METHODS = List.of("get", "put", "post", "delete");

  private final Map<String, Object> document;
  private final JsonMapper json = JsonMapper.builder().build();

  DocsPage(ApiDocument document) {
    this.document = document.document();
  }

  String description() {
    return text(map(document.get("info")).get("description"));
  }

  /// The groups that have any call.
  List<Group> groups() {
    var calls = calls();
    return list(document.get("tags")).stream()
        .map(DocsPage::map)
        .map(tag -> group(text(tag.get("name")), text(tag.get("description")), calls))
        .filter(group -> !group.calls.isEmpty())
        .toList();
  }

  private record Tagged(String tag, Call call) {}

  private static Group group(String name, String description, List<Tagged> calls) {
    return new Group(
        name,
        description,
        calls.stream().filter(it -> it.tag.equals(name)).map(Tagged::call).toList());
  }

  private List<Tagged> calls() {
    var calls = new ArrayList<Tagged>();
    map(document.get("paths"))
        .forEach(
            (path, methods) -> {
              for (var method : METHODS) {
                var call = map(methods).get(method);
                if (call != null) calls.add(tagged(method, path, map(call)));
              }
            });
    return calls;
  }

  private Tagged tagged(String method, String path, Map<String, Object> call) {
    var tags = list(call.get("tags"));
    return new Tagged(
        tags.isEmpty() ? "operations" : text(tags.getFirst()), call(method, path, call));
  }

  private Call call(String method, String path, Map<String, Object> call) {
    var roles = String.join(", ", list(call.get("x-roles")).stream().map(DocsPage::text).toList());
    return new Call(
        method.toUpperCase(Locale.ROOT),
        path,
        method + path.replaceAll("[^A-Za-z0-9]+", "-"),
        text(call.get("summary")),
        text(call.get("description")),
        roles.isEmpty() ? "open" : roles,
        list(call.get("parameters")).stream().map(it -> parameter(resolved(it))).toList(),
        example(call),
        map(call.get("responses")).entrySet().stream()
            .filter(answer -> !answer.getKey().equals("default"))
            .map(
                answer ->
                    new Answer(
                        answer.getKey(), text(resolved(answer.getValue()).get("description"))))
            .toList());
  }

  private static Parameter parameter(Map<String, Object> it) {
    return new Parameter(
        text(it.get("name")),
        text(it.get("in")),
        Boolean.TRUE.equals(it.get("required")),
        text(it.get("description")));
  }

  private String example(Map<String, Object> call) {
    var content = map(map(call.get("requestBody")).get("content"));
    var example = map(content.get("application/json")).get("example");
    return example == null ? "" : json.writerWithDefaultPrettyPrinter().writeValueAsString(example);
  }

  List<Code> codes() {
    return map(document.get("x-codes")).entrySet().stream()
        .map(
            code -> {
              var parts = list(code.getValue());
              return new Code(code.getKey(), text(parts.getFirst()), text(parts.getLast()));
            })
        .toList();
  }

  /// What a reference within the document stands for.
  private Map<String, Object> resolved(Object value) {
    var map = map(value);
    if (!(map.get("$ref") instanceof String reference)) return map;
    Object found = document;
    for (var name : reference.substring(2).split("/", -1)) found = map(found).get(name);
    return map(found);
  }

  @SuppressWarnings("unchecked") // the document's objects all have names that are texts
  private static Map<String, Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  private static List<Object> list(@Nullable Object value) {
    return value instanceof List<?> list ? List.copyOf(list) : List.of();
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
