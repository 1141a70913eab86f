package dev.tuntas.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PagesTest {

  @ParameterizedTest
  @ValueSource(strings = {"/", "/docs"})
  void a_page_needs_no_key_no_script_and_no_other_host(String path) {
    var page = Client.nobody().get(path, "Accept", "text/html,*/*;q=0.8");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).hasValue("text/html;charset=UTF-8");
    assertThat(page.body())
        .contains("<title>", "<meta name=\"viewport\"")
        .doesNotContain("<script", " style=", "th:", "https://", "[[");
    assertThat(page.header("Content-Security-Policy"))
        .hasValueSatisfying(
            policy ->
                assertThat(policy)
                    .contains("default-src 'none'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe"));
    assertThat(page.header("Referrer-Policy")).hasValue("no-referrer");
    assertThat(page.header("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(page.header("Cross-Origin-Opener-Policy")).hasValue("same-origin");
    assertThat(page.header("Cache-Control")).hasValue("no-store");
  }

  @Test
  void the_docs_show_every_call_and_explain_every_code() {
    var docs = Client.nobody().get("/docs").body();
    var document = Client.nobody().get("/v3/api-docs").json();
    assertThat(document.get("openapi").stringValue()).startsWith("3.1");
    document.get("paths").propertyNames().forEach(path -> assertThat(docs).contains(path));
    document
        .get("x-codes")
        .propertyNames()
        .forEach(code -> assertThat(docs).contains("id=\"" + code + "\""));
  }

  /// A code is a text of its own beside a status or the name of a field.
  @Test
  void every_code_in_the_program_is_explained() throws IOException {
    var code =
        Pattern.compile("(?:Problem\\s*\\.of\\(\\s*\\d+,|refuse\\(\\s*\"\\w+\",)\\s*\"(\\w+)\"");
    var explained = Client.nobody().get("/v3/api-docs").json().get("x-codes");
    int found = 0;
    try (var files = Files.walk(Path.of("src/main/java"))) {
      for (var file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
        for (var match : code.matcher(Files.readString(file)).results().toList()) {
          assertThat(explained.has(match.group(1))).as(match.group(1) + " of " + file).isTrue();
          found++;
        }
      }
    }
    assertThat(found).isGreaterThan(40);
  }

  @Test
  void references_within_the_document_lead_somewhere() {
    var document = Client.nobody().get("/v3/api-docs").json();
    for (var reference : document.findValuesAsString("$ref")) {
      assertThat(document.at(reference.substring(1)).isMissingNode()).as(reference).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"})
  void health_says_no_more_than_up(String path) {
    var health = Client.nobody().get(path);
    assertThat(health.status()).isEqualTo(200);
    assertThat(health.json().get("status").stringValue()).isEqualTo("UP");
    assertThat(health.body()).doesNotContain("components", "details");
  }

  @Test
  void the_style_is_our_own() {
    var style = Client.nobody().get("/style.css");
    assertThat(style.header("Content-Type")).hasValue("text/css;charset=UTF-8");
    assertThat(style.body()).contains("body");
  }
}
