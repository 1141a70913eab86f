package dev.tuntas.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FingerprintTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1,"b":2}          | {"b":2,"a":1}
          {"a":10}               | { "a" : 10.0 }
          {"a":10}               | {"a":1e1}
          {"a":0}                | {"a":-0.00}
          {"a":"x"}              | {"a":"\\u0078"}
          {"a":{"c":[],"b":{}}}  | {"a":{"b":{},"c":[]}}
          """)
  void what_means_the_same_has_the_same_fingerprint(String one, String other) {
    assertThat(of(one)).isEqualTo(of(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":1}         | {"a":"1"}
          {"a":1}         | {"a":2}
          {"a":[1,2]}     | {"a":[2,1]}
          {"a":null}      | {}
          {"a":null}      | {"a":"null"}
          {"a":true}      | {"a":"true"}
          {"a":"b","c":1} | {"a":"b\\"c","c":1}
          {"a":[1,[2]]}   | {"a":[[1],2]}
          {"ab":"c"}      | {"a":"bc"}
          """)
  void what_means_something_else_has_another(String one, String other) {
    assertThat(of(one)).isNotEqualTo(of(other));
  }

  private static String of(String json) {
    return Fingerprint.of(StrictJson.object(json.getBytes(StandardCharsets.UTF_8)));
  }
}
