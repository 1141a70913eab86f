package dev.tuntas.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  record Wish(String name, int count) {
    Wish {
      Objects.requireNonNull(name, "name");
    }
  }

  private static Message carrying(String body) {
    return Message.event("e-1", "WISH", "ord_1", body);
  }

  @Test
  void what_was_written_is_read_again() throws Refused {
    var event = CloudEvent.of("e-1", "/tuntas/orders", "WISH", "ord_1", NOON, new Wish("tea", 2));
    var message = event.message(false, null);

    assertThat(message.key()).isEqualTo("ord_1");
    assertThat(CloudEvent.read(message)).isEqualTo(event);
    assertThat(CloudEvent.read(message).data(Wish.class)).isEqualTo(new Wish("tea", 2));
  }

  @Test
  void a_sequence_is_a_number_in_a_text() throws Refused {
    var counted =
        new CloudEvent("e-1", "/s", "WISH", "ord_1", NOON, 702, CloudEvent.object("{\"a\":1}"));

    assertThat(counted.write()).contains("\"sequence\":\"702\"", "\"sequencetype\":\"Integer\"");
    assertThat(CloudEvent.read(counted.message(false, null)).sequence()).isEqualTo(702);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "{} {}",
        "{'specversion':'1.0'}",
        "{'specversion':'0.3','id':'1','source':'/s','type':'WISH','subject':'o','time':'2026-03-01T12:00:00Z','data':{}}",
        "{'specversion':'1.0','id':'1','source':'/s','type':'OTHER','subject':'o','time':'2026-03-01T12:00:00Z','data':{}}",
        "{'specversion':'1.0','id':'','source':'/s','type':'WISH','subject':'o','time':'2026-03-01T12:00:00Z','data':{}}",
        "{'specversion':'1.0','id':'1','source':'/s','type':'WISH','subject':'o','time':'noon','data':{}}",
        "{'specversion':'1.0','id':'1','source':'/s','type':'WISH','subject':'o','time':'2026-03-01T12:00:00Z'}",
        "{'specversion':'1.0','id':'1','source':'/s','type':'WISH','subject':'o','time':'2026-03-01T12:00:00Z','data':[]}",
        "{'specversion':'1.0','id':'1','id':'2','source':'/s','type':'WISH','subject':'o','time':'2026-03-01T12:00:00Z','data':{}}",
        "{'specversion':'1.0','id':'1','source':'/s','type':'WISH','subject':'o','time':'2026-03-01T12:00:00Z','data':{},'Odd_Name':1}",
        "{'specversion':'1.0','id':'1','source':'/s','type':'WISH','subject':'o','time':'2026-03-01T12:00:00Z','data':{},'sequence':7}"
      })
  void what_is_no_event_of_its_kind_is_refused_with_a_sentence(String body) {
    assertThatThrownBy(() -> CloudEvent.read(carrying(body.replace('\'', '"'))))
        .isInstanceOf(Refused.class)
        .message()
        .isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\":null,\"count\":1}",
        "{\"name\":\"tea\",\"count\":null}",
        "{\"name\":\"tea\",\"count\":1.5}",
        "{\"name\":\"tea\",\"count\":\"many\"}",
        "{\"name\":\"tea\",\"count\":99999999999}",
        "{\"name\":\"tea\",\"count\":1,\"price\":0}"
      })
  void data_that_does_not_fit_is_refused(String data) {
    var event = new CloudEvent("1", "/s", "WISH", "o", NOON, 0, CloudEvent.object(data));
    assertThatThrownBy(() -> event.data(Wish.class)).isInstanceOf(Refused.class);
  }

  @Test
  void extensions_of_others_are_no_problem() throws Refused {
    var body = CloudEvent.of("1", "/s", "WISH", "o", NOON, Map.of()).write();
    var extended = body.substring(0, body.length() - 1) + ",\"partitionkey\":\"x\"}";

    assertThat(CloudEvent.read(carrying(extended)).id()).isEqualTo("1");
  }
}
