package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonArrayTest {

  @Test
  void sqlite_reads_back_every_string() throws SQLException {
    var strings =
        List.of("", "plain", "it's \"quoted\"", "back\\slash", "\b\t\n\f\r\u0001\u001f", "日本 😀 ß");

    assertThat(readBack(JsonArray.of(strings))).isEqualTo(strings);
  }

  @Test
  void sqlite_reads_back_every_number() throws SQLException {
    assertThat(readBack(JsonArray.of(List.of(0, -1, Long.MAX_VALUE))))
        .containsExactly("0", "-1", "9223372036854775807");
    assertThat(readBack(JsonArray.of(List.of()))).isEmpty();
  }

  private static List<String> readBack(String json) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        var query = connection.prepareStatement("select value from json_each(?)")) {
      query.setString(1, json);
      var values = new ArrayList<String>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) values.add(rows.getString(1));
      }
      return values;
    }
  }
}
