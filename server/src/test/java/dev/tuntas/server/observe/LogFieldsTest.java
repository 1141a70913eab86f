package dev.tuntas.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import org.springframework.boot.json.JsonWriter;

class LogFieldsTest {

  private static final String ORDER = "ord_01hzy8k3m5n7p9qrstvwxyz234";

  private static final JsonWriter<ILoggingEvent> WRITER =
      JsonWriter.of(
          members -> {
            members.addMapEntries(ILoggingEvent::getMDCPropertyMap);
            members
                .from(ILoggingEvent::getKeyValuePairs)
                .whenNotEmpty()
                .usingExtractedPairs(
                    Iterable::forEach,
                    (KeyValuePair pair) -> pair.key,
                    (KeyValuePair pair) -> pair.value);
            new LogFields().customize(members);
          });

  private static LoggingEvent line(String thread) {
    return line(thread, Map.of());
  }

  private static LoggingEvent line(String thread, Map<String, String> context) {
    var line = new LoggingEvent();
    line.setThreadName(thread);
    line.setMDCPropertyMap(context);
    return line;
  }

  @Test
  void a_line_that_names_a_saga_names_its_order() {
    var line = line("tuntas-writer-0");
    line.addKeyValuePair(new KeyValuePair("saga_id", "cancel-" + ORDER));

    assertThat(WRITER.writeToString(line)).contains("\"order_id\":\"" + ORDER + "\"");
  }

  @Test
  void a_line_of_a_call_names_the_order_that_it_is_made_for() {
    assertThat(WRITER.writeToString(line(ORDER + "0"))).contains("\"order_id\":\"" + ORDER + "\"");
  }

  @Test
  void a_line_that_names_its_order_names_it_once() {
    var line = line(ORDER + "0");
    line.addKeyValuePair(new KeyValuePair("order_id", ORDER));

    assertThat(WRITER.writeToString(line)).isEqualTo("{\"order_id\":\"" + ORDER + "\"}");
  }

  @Test
  void a_line_about_no_order_has_no_order() {
    assertThat(WRITER.writeToString(line("main"))).isEqualTo("{}");
  }

  @Test
  void traces_are_named_as_in_problems() {
    var line = line("main", Map.of("traceId", "abc"));

    assertThat(WRITER.writeToString(line)).isEqualTo("{\"trace_id\":\"abc\"}");
  }
}
