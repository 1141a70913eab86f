package dev.tuntas.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

final class CursorsTest {

  private final Cursors cursors =
      new Cursors("secret".getBytes(java.nio.charset.StandardCharsets.UTF_8));

  @Test
  void a_cursor_opens_to_what_was_sealed() {
    assertThat(cursors.open("list", cursors.seal("list", "2026-01-01|ord_1")))
        .isEqualTo("2026-01-01|ord_1");
  }

  @Test
  void a_cursor_of_which_any_character_was_changed_is_refused() {
    var cursor = cursors.seal("list", "ord_1");
    for (int i = 0; i < cursor.length(); i++) {
      for (char other : new char[] {'A', 'B', '-', '!'}) {
        if (cursor.charAt(i) == other) continue;
        var changed = cursor.substring(0, i) + other + cursor.substring(i + 1);
        assertThat(refused("list", changed)).as(changed).isEqualTo("cursor_invalid");
      }
    }
  }

  @Test
  void a_cursor_of_another_list_or_another_server_is_refused() {
    var cursor = cursors.seal("list", "ord_1");
    assertThat(refused("other", cursor)).isEqualTo("cursor_invalid");
    var foreign = new Cursors("other".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(refused("list", foreign.seal("list", "ord_1"))).isEqualTo("cursor_invalid");
    assertThat(refused("list", "")).isEqualTo("cursor_invalid");
    assertThat(refused("list", "x".repeat(5000))).isEqualTo("cursor_invalid");
  }

  @Test
  void a_page_has_a_cursor_only_if_there_is_more() {
    var query = ListQuery.of(request("limit", "2"), cursors);
    var full = query.page(List.of("c", "b", "a"), it -> it, String::toUpperCase);
    assertThat(full.items()).containsExactly("C", "B");
    assertThat(full.nextCursor()).isNotNull();
    assertThat(query.page(List.of("b", "a"), it -> it, it -> it).nextCursor()).isNull();
  }

  @Test
  void the_next_page_goes_on_after_the_last_element_with_the_same_filters_only() {
    var first = ListQuery.of(request("limit", "1", "kind", "checkout"), cursors, "kind");
    var cursor = first.page(List.of("b", "a"), it -> it, it -> it).nextCursor();
    var next = ListQuery.of(request("cursor", cursor, "kind", "checkout"), cursors, "kind");
    assertThat(next.position()).hasValue("b");
    assertThat(
            catchThrowableOfType(
                    ProblemException.class,
                    () ->
                        ListQuery.of(request("cursor", cursor, "kind", "booking"), cursors, "kind"))
                .problem()
                .code())
        .isEqualTo("cursor_invalid");
  }

  private String refused(String list, String cursor) {
    return catchThrowableOfType(ProblemException.class, () -> cursors.open(list, cursor))
        .problem()
        .code();
  }

  private static MockHttpServletRequest request(String... parameters) {
    var request = new MockHttpServletRequest("GET", "/list");
    for (int i = 0; i < parameters.length; i += 2)
      request.addParameter(parameters[i], parameters[i + 1]);
    return request;
  }
}
