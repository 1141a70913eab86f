package dev.tuntas.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.saga.Moment.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnnouncerTest {

  private static final Announcer<String> STANDARD = Announcer.endsAndTrouble();

  private static Moment<String> moment(Kind kind, String detail, boolean doubted) {
    var cause = new Failure.Declined("NO_MONEY", detail);
    return new Moment<>(
        kind,
        "o-1",
        "booking",
        "pay",
        cause,
        doubted,
        "data",
        new Moment.Around(Instant.EPOCH, 0, Map.of(), null, null, Set.of()));
  }

  @ParameterizedTest
  @EnumSource
  void the_world_hears_of_ends_and_of_trouble(Kind kind) {
    var told = Set.of(Kind.HELD, Kind.COMPENSATION_FAILED, Kind.DONE, Kind.UNDONE);
    assertThat(STANDARD.at(moment(kind, "", false))).hasSize(told.contains(kind) ? 1 : 0);
  }

  @Test
  void a_notice_says_which_saga_which_step_and_why() {
    assertThat(STANDARD.at(moment(Kind.HELD, "card \"x\"", false)))
        .containsExactly(
            new Notice(
                "saga.held",
                """
                {"saga":"o-1","definition":"booking","step":"pay",\
                "code":"NO_MONEY","detail":"card \\"x\\""}\
                """));
  }

  @Test
  void a_notice_says_that_there_was_doubt_only_if_there_was() {
    assertThat(body(Kind.DONE, "", true)).endsWith(",\"doubted\":true}");
    assertThat(body(Kind.DONE, "", false)).doesNotContain("doubted");
  }

  @Test
  void awkward_text_becomes_json_that_every_database_takes() {
    var body = body(Kind.HELD, "\0\n\\\" \uD800 half \uDC00 whole 😀", false);
    assertThat(body).contains("\\u0000\\u000a\\\\\\\" \\ud800 half \\udc00 whole ");
    var asBytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(new String(asBytes, StandardCharsets.UTF_8)).isEqualTo(body);
  }

  private static String body(Kind kind, String detail, boolean doubted) {
    return STANDARD.at(moment(kind, detail, doubted)).getFirst().body();
  }
}
