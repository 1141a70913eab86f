package dev.tuntas.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import dev.tuntas.server.RawRequest;
import dev.tuntas.server.TestServer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is sent, and which status and code it gets, as the bytes go over the wire.
@TestMethodOrder(OrderAnnotation.class)
final class EdgeTest {

  record Case(String what, byte[] request, int status, String code) {
    @Override
    public String toString() {
      return what + " -> " + status + " " + code;
    }
  }

  private static final String PATH = "/api/v1/admin/keys";
  private static final String HEAD =
      "Host: localhost\r\nAuthorization: Bearer " + TestServer.ADMIN_KEY + "\r\n";
  private static final String JSON = HEAD + "Content-Type: application/json\r\n";

  private static CompletableFuture<String> unended;

  /// Sent first and looked at last: it takes longer than all the others together.
  @BeforeAll
  static void sendABodyThatNeverEnds() {
    var cut = request("POST " + PATH, JSON + "Content-Length: 100\r\n", "{\"client\":");
    unended =
        CompletableFuture.supplyAsync(
            new RawRequest(cut)::answer, task -> Thread.ofPlatform().start(task));
  }

  static Stream<Case> bodies() {
    return Stream.of(
        body("no body", "", 400, "body_missing"),
        body("only spaces", "  \n", 400, "body_missing"),
        body("an open brace", "{", 400, "json_malformed"),
        body("a trailing comma", "{\"client\":\"a\",}", 400, "json_malformed"),
        body("a comment", "{/* x */\"client\":\"a\"}", 400, "json_malformed"),
        body("NaN", "{\"client\":NaN}", 400, "json_malformed"),
        body("single quotes", "{'client':'a'}", 400, "json_malformed"),
        body("two values", "{} {}", 400, "json_malformed"),
        body("trailing text", "{}x", 400, "json_malformed"),
        body("a leading zero", "{\"client\":01}", 400, "json_malformed"),
        body("a huge exponent", "{\"client\":1e99999999999}", 400, "json_malformed"),
        body("an open string", "{\"client\":\"", 400, "json_malformed"),
        body("an open array", "{\"client\":[1", 400, "json_malformed"),
        bytes("UTF-16", "{}".getBytes(StandardCharsets.UTF_16), 400, "json_malformed"),
        bytes(
            "UTF-16 without a mark",
            "{}".getBytes(StandardCharsets.UTF_16LE),
            400,
            "json_malformed"),
        bytes(
            "a mark and garbage",
            new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, 'x'},
            400,
            "json_malformed"),
        bytes("half a UTF-8 character", new byte[] {'{', (byte) 0xC3, '}'}, 400, "json_malformed"),
        body("null", "null", 400, "json_not_object"),
        body("an array", "[]", 400, "json_not_object"),
        body("a string", "\"x\"", 400, "json_not_object"),
        body("a number", "42", 400, "json_not_object"),
        body("a member twice", "{\"client\":\"a\",\"client\":\"b\"}", 400, "json_duplicate_member"),
        body(
            "a member twice, once escaped",
            "{\"client\":\"a\",\"\\u0063lient\":\"b\"}",
            400,
            "json_duplicate_member"),
        body(
            "a member twice, deep inside",
            "{\"a\":[{\"b\":1,\"b\":2}]}",
            400,
            "json_duplicate_member"),
        body("33 levels", "{\"a\":" + "[".repeat(32) + "]".repeat(32) + "}", 400, "json_too_deep"),
        body("10 000 levels", "{\"a\":" + "[".repeat(10_000), 400, "json_too_deep"),
        body("32 levels", "{\"a\":" + "[".repeat(31) + "]".repeat(31) + "}", 400, "unknown_field"),
        body("more than 64 KB", "{\"a\":\"" + "x".repeat(66_000) + "\"}", 413, "body_too_large"),
        body("all of 64 KB", padded(65_536), 400, "unknown_field"),
        body("a byte more than 64 KB", padded(65_537), 413, "body_too_large"),
        body(
            "an unknown field",
            "{\"client\":\"a\",\"roles\":[\"viewer\"],\"is_admin\":true}",
            400,
            "unknown_field"),
        body("a field missing", "{\"client\":\"a\"}", 422, "field_required"),
        body("a field null", "{\"client\":null,\"roles\":[\"viewer\"]}", 422, "field_required"),
        body("another type", "{\"client\":7,\"roles\":[\"viewer\"]}", 422, "field_type"),
        body("NUL", "{\"client\":\"a\\u0000\",\"roles\":[\"viewer\"]}", 422, "text_invalid"),
        body(
            "a lone surrogate",
            "{\"client\":\"\\ud800\",\"roles\":[\"viewer\"]}",
            422,
            "text_invalid"),
        body(
            "an override of direction",
            "{\"client\":\"\\u202ea\",\"roles\":[\"viewer\"]}",
            422,
            "text_invalid"),
        body(
            "10 000 characters",
            "{\"client\":\"" + "x".repeat(10_000) + "\",\"roles\":[\"viewer\"]}",
            422,
            "too_long"),
        body("no such choice", "{\"client\":\"a\",\"roles\":[\"king\"]}", 422, "out_of_range"));
  }

  static Stream<Case> heads() {
    return Stream.of(
        head(
            "no content type",
            "POST " + PATH,
            HEAD + "Content-Length: 2\r\n",
            "{}",
            415,
            "media_type_unsupported"),
        head(
            "text",
            "POST " + PATH,
            HEAD + "Content-Type: text/plain\r\nContent-Length: 2\r\n",
            "{}",
            415,
            "media_type_unsupported"),
        head(
            "XML",
            "POST " + PATH,
            HEAD + "Content-Type: application/xml\r\nContent-Length: 2\r\n",
            "{}",
            415,
            "media_type_unsupported"),
        head(
            "a form",
            "POST " + PATH,
            HEAD + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n",
            "{}",
            415,
            "media_type_unsupported"),
        head(
            "nonsense as content type",
            "POST " + PATH,
            HEAD + "Content-Type: ;;;\r\nContent-Length: 2\r\n",
            "{}",
            415,
            "media_type_unsupported"),
        head(
            "JSON in Latin-1",
            "POST " + PATH,
            HEAD + "Content-Type: application/json;charset=latin1\r\nContent-Length: 2\r\n",
            "{}",
            415,
            "media_type_unsupported"),
        head(
            "gzip",
            "POST " + PATH,
            JSON + "Content-Encoding: gzip\r\nContent-Length: 2\r\n",
            "{}",
            415,
            "content_encoding_unsupported"),
        head(
            "an unknown encoding",
            "POST " + PATH,
            JSON + "Content-Encoding: foo\r\nContent-Length: 2\r\n",
            "{}",
            415,
            "content_encoding_unsupported"),
        head(
            "XML only",
            "POST " + PATH,
            JSON + "Accept: application/xml\r\nContent-Length: 2\r\n",
            "{}",
            406,
            "not_acceptable"),
        head(
            "nonsense as Accept",
            "GET " + PATH,
            HEAD + "Accept: ///\r\n",
            "",
            406,
            "not_acceptable"),
        head(
            "JSON refused by weight",
            "GET " + PATH,
            HEAD + "Accept: application/json;q=0\r\n",
            "",
            406,
            "not_acceptable"),
        head(
            "a large chunked body",
            "POST " + PATH,
            JSON + "Transfer-Encoding: chunked\r\n",
            chunks(70_000),
            413,
            "body_too_large"),
        head(
            "expecting to send too much",
            "POST " + PATH,
            JSON + "Expect: 100-continue\r\nContent-Length: 70000\r\n",
            "",
            413,
            "body_too_large"),
        head("no key", "GET " + PATH, "Host: localhost\r\n", "", 401, "unauthenticated"),
        head(
            "another scheme",
            "GET " + PATH,
            "Host: localhost\r\nAuthorization: Basic YTpi\r\n",
            "",
            401,
            "unauthenticated"),
        head(
            "an empty key",
            "GET " + PATH,
            "Host: localhost\r\nAuthorization: Bearer \r\n",
            "",
            401,
            "unauthenticated"),
        head(
            "an unknown key",
            "GET " + PATH,
            "Host: localhost\r\nAuthorization: Bearer tk_nope\r\n",
            "",
            401,
            "unauthenticated"),
        head(
            "two keys",
            "GET " + PATH,
            HEAD + "Authorization: Bearer tk_nope\r\n",
            "",
            401,
            "unauthenticated"),
        head(
            "a huge key",
            "GET " + PATH,
            "Host: localhost\r\nAuthorization: Bearer " + "x".repeat(8000) + "\r\n",
            "",
            401,
            "unauthenticated"),
        head(
            "a key in the address",
            "GET " + PATH + "?access_token=" + TestServer.ADMIN_KEY,
            HEAD,
            "",
            400,
            "parameter_invalid"),
        head("an unknown parameter", "GET " + PATH + "?sort=x", HEAD, "", 400, "parameter_invalid"),
        head(
            "an operator as parameter",
            "GET " + PATH + "?limit%5B$ne%5D=1",
            HEAD,
            "",
            400,
            "parameter_invalid"),
        head(
            "a parameter twice",
            "GET " + PATH + "?limit=1&limit=2",
            HEAD,
            "",
            400,
            "parameter_invalid"),
        head(
            "100 parameters",
            "GET " + PATH + "?" + "x=1&".repeat(100),
            HEAD,
            "",
            400,
            "parameter_invalid"),
        head(
            "a parameter that cannot be decoded",
            "GET " + PATH + "?limit=%zz",
            HEAD,
            "",
            400,
            "parameter_invalid"),
        head(
            "NUL in a parameter", "GET " + PATH + "?limit=%00", HEAD, "", 400, "parameter_invalid"),
        head("limit 0", "GET " + PATH + "?limit=0", HEAD, "", 400, "limit_invalid"),
        head("limit -1", "GET " + PATH + "?limit=-1", HEAD, "", 400, "limit_invalid"),
        head("limit 101", "GET " + PATH + "?limit=101", HEAD, "", 400, "limit_invalid"),
        head("limit 1e9", "GET " + PATH + "?limit=1e9", HEAD, "", 400, "limit_invalid"),
        head("limit abc", "GET " + PATH + "?limit=abc", HEAD, "", 400, "limit_invalid"),
        head("a made-up cursor", "GET " + PATH + "?cursor=abc", HEAD, "", 400, "cursor_invalid"),
        head("an empty cursor", "GET " + PATH + "?cursor=", HEAD, "", 400, "cursor_invalid"),
        head("an unknown path", "GET /nope", HEAD, "", 404, "not_found"),
        head(
            "an unknown path without a key",
            "GET /api/v1/nope",
            "Host: localhost\r\n",
            "",
            404,
            "not_found"),
        head("a slash at the end", "GET " + PATH + "/", HEAD, "", 404, "not_found"),
        head("two slashes", "GET //api/v1/admin/keys", HEAD, "", 404, "not_found"),
        head("upper case", "GET /API/v1/admin/keys", HEAD, "", 404, "not_found"),
        head("a session in the path", "GET " + PATH + ";jsessionid=1", HEAD, "", 404, "not_found"),
        head("an encoded way up", "GET /docs/%2e%2e/api/v1/admin/keys", HEAD, "", 404, "not_found"),
        head("an encoded slash", "GET /api/v1/orders/..%2f..", HEAD, "", 404, "not_found"),
        head("an encoded NUL", "GET /api/v1/orders/%00", HEAD, "", 404, "not_found"),
        head("an encoding cut off", "GET /api/v1/orders/%f", HEAD, "", 404, "not_found"),
        head("an overlong encoding", "GET /api/v1/orders/%c0%ae", HEAD, "", 404, "not_found"),
        head("SQL in the path", "GET /api/v1/orders/1%27%20or%201=1", HEAD, "", 404, "not_found"),
        head(
            "5 KB in the path",
            "GET /api/v1/orders/" + "x".repeat(5000),
            HEAD,
            "",
            404,
            "not_found"),
        head("a dotfile", "GET /.env", HEAD, "", 404, "not_found"),
        head("another endpoint of the actuator", "GET /actuator/env", HEAD, "", 404, "not_found"),
        head("the actuator's index", "GET /actuator", HEAD, "", 404, "not_found"),
        head(
            "PUT on a POST route",
            "PUT " + PATH,
            HEAD + "Content-Length: 0\r\n",
            "",
            405,
            "method_not_allowed"),
        head(
            "PATCH",
            "PATCH " + PATH,
            HEAD + "Content-Length: 0\r\n",
            "",
            405,
            "method_not_allowed"),
        head("TRACE", "TRACE " + PATH, HEAD, "", 405, "method_not_allowed"),
        head("a made-up method", "FOO " + PATH, HEAD, "", 501, "method_unknown"),
        head(
            "more than 8 KB of address",
            "GET " + PATH + "?x=" + "y".repeat(9000),
            HEAD,
            "",
            414,
            "uri_too_long"),
        head(
            "more than 16 KB of headers",
            "GET " + PATH,
            HEAD + "X-Big: " + "y".repeat(20_000) + "\r\n",
            "",
            431,
            "headers_too_large"),
        head(
            "200 headers",
            "GET " + PATH,
            HEAD + "X-A: b\r\n".repeat(200),
            "",
            431,
            "headers_too_large"),
        head(
            "two lengths",
            "POST " + PATH,
            JSON + "Content-Length: 2\r\nContent-Length: 3\r\n",
            "{}",
            400,
            "request_malformed"),
        head(
            "a length that is none",
            "POST " + PATH,
            JSON + "Content-Length: -2\r\n",
            "{}",
            400,
            "request_malformed"),
        head(
            "a header without a name",
            "GET " + PATH,
            HEAD + ": b\r\n",
            "",
            400,
            "request_malformed"),
        head("no host", "GET " + PATH, "X-A: b\r\n", "", 400, "request_malformed"),
        new Case("no HTTP at all", raw("hello\r\n\r\n"), 400, "request_malformed"),
        new Case(
            "a character that no target has",
            raw("GET /a|b<c HTTP/1.1\r\n" + HEAD + "\r\n"),
            400,
            "request_malformed"),
        new Case(
            "HTTP/3 over TCP",
            raw("GET / HTTP/3.0\r\n" + HEAD + "\r\n"),
            505,
            "http_version_unsupported"));
  }

  @ParameterizedTest
  @MethodSource({"bodies", "heads"})
  void every_bad_request_gets_its_status_and_code(Case bad) {
    var answer = new RawRequest(bad.request).answer();
    assertThat(answer).startsWith("HTTP/1.1 " + bad.status + " ");
    assertThat(answer)
        .contains("\"code\":\"" + bad.code + "\"", "\"trace_id\":\"", "\"status\":" + bad.status)
        .containsIgnoringCase("Content-Type: application/problem+json")
        .containsIgnoringCase("X-Content-Type-Options: nosniff")
        .doesNotContainIgnoringCase("\nServer:")
        .doesNotContain("Exception", "\tat ", "Tomcat", "Spring");
    assertThat(new ProblemCodes().all()).containsKey(bad.code);
  }

  @Test
  void a_method_that_is_not_allowed_is_answered_with_those_that_are() {
    assertThat(Client.admin().send("PUT", PATH, "").header("Allow")).hasValue("GET, POST");
  }

  @Test
  void options_names_the_methods_and_needs_no_key() {
    var answer = Client.nobody().send("OPTIONS", PATH, "");
    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.header("Allow")).hasValue("GET, POST, OPTIONS");
    assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
  }

  @Test
  void head_is_get_without_a_body() {
    var answer = Client.admin().send("HEAD", PATH, "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void a_connection_serves_on_after_a_field_was_refused() {
    var bad = request("POST " + PATH, JSON + "Content-Length: 2\r\n", "{}");
    var good = request("GET " + PATH, HEAD + "Connection: close\r\n", "");
    var both = new java.io.ByteArrayOutputStream();
    both.writeBytes(bad);
    both.writeBytes(good);
    var answers = new RawRequest(both.toByteArray()).answers();
    assertThat(answers).contains("HTTP/1.1 422", "HTTP/1.1 200");
  }

  /// Tomcat takes the chunks, as RFC 9112 says, and lets nothing follow on this connection.
  @Test
  void a_length_beside_chunks_cannot_hide_a_second_request() {
    var smuggled = request("GET " + PATH, HEAD, "");
    var both =
        request(
            "POST " + PATH,
            JSON + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "0\r\n\r\n" + new String(smuggled, StandardCharsets.ISO_8859_1));
    var answers = new RawRequest(both).answers();
    assertThat(answers).startsWith("HTTP/1.1 400").doesNotContain("HTTP/1.1 200");
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void a_body_that_never_ends_is_given_up_after_ten_seconds() {
    assertThat(unended.join()).startsWith("HTTP/1.1 408 ").contains("\"code\":\"request_timeout\"");
  }

  private static Case body(String what, String body, int status, String code) {
    return bytes(what, body.getBytes(StandardCharsets.UTF_8), status, code);
  }

  private static Case bytes(String what, byte[] body, int status, String code) {
    var head =
        raw(
            "POST "
                + PATH
                + " HTTP/1.1\r\n"
                + JSON
                + "Content-Length: "
                + body.length
                + "\r\n\r\n");
    var all = new java.io.ByteArrayOutputStream();
    all.writeBytes(head);
    all.writeBytes(body);
    return new Case("a body: " + what, all.toByteArray(), status, code);
  }

  private static Case head(
      String what, String target, String headers, String body, int status, String code) {
    return new Case(what, request(target, headers, body), status, code);
  }

  private static byte[] request(String target, String headers, String body) {
    return raw(target + " HTTP/1.1\r\n" + headers + "\r\n" + body);
  }

  private static byte[] raw(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String padded(int length) {
    return "{\"a\":\"" + "x".repeat(length - 8) + "\"}";
  }

  private static String chunks(int length) {
    return Integer.toHexString(length) + "\r\n" + "x".repeat(length) + "\r\n0\r\n\r\n";
  }
}
