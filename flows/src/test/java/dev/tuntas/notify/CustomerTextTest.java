package dev.tuntas.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.money.Money;
import dev.tuntas.notify.Contacts.Contact;
import dev.tuntas.notify.Message.CustomerNotice;
import dev.tuntas.notify.Message.Topic;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CustomerTextTest {

  private static CustomerNotice notice(Topic topic, String kind, @Nullable String reason) {
    return new CustomerNotice(
        topic, "ord_1", kind, "X", new Money(150_000, "IDR"), reason, Instant.EPOCH);
  }

  private static CustomerText text(Topic topic, String kind, @Nullable String locale) {
    var contact = new Contact("a@example.com", null, locale, "https://shop.example/o/abc");
    return CustomerText.of(notice(topic, kind, "out_of_stock"), contact);
  }

  @ParameterizedTest
  @EnumSource(Topic.class)
  void every_topic_has_words_in_both_languages(Topic topic) {
    for (var kind : new String[] {"checkout", "booking", "ride"}) {
      var english = text(topic, kind, "en");
      var indonesian = text(topic, kind, "id");
      assertThat(english).isNotEqualTo(indonesian);
      for (var words : new CustomerText[] {english, indonesian}) {
        assertThat(words.subject()).contains("ord_1").doesNotContain("{", "}", "\n");
        assertThat(words.body()).contains("ord_1", "https://shop.example/o/abc");
        assertThat(words.body()).doesNotContain("{", "}");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"id,true", "id-ID,true", "id_ID,true", "in,true", "en,false", "vi,false", "x!,false"})
  void indonesian_is_for_those_who_want_it(String locale, boolean indonesian) {
    assertThat(text(Topic.CONFIRMED, "booking", locale).body().contains("dikonfirmasi"))
        .isEqualTo(indonesian);
  }

  @Test
  void a_late_confirmation_says_to_look_for_duplicates_and_how_to_cancel() {
    assertThat(text(Topic.RECOVERED_LATE, "booking", "en").body())
        .contains("duplicates", "cancel this booking within 24 hours", "Rp 150,000");
    assertThat(text(Topic.RECOVERED_LATE, "booking", "id").body()).contains("ganda", "24 jam");
  }

  @Test
  void a_refund_says_how_long_it_takes() {
    assertThat(text(Topic.REFUNDED, "checkout", "en").body())
        .contains("Rp 150,000", "3-5 business days");
    assertThat(text(Topic.REFUNDED, "checkout", "id").body()).contains("3-5 hari kerja");
  }

  @Test
  void a_reason_that_has_no_words_is_not_shown() {
    var odd = CustomerText.of(notice(Topic.FAILED, "checkout", "<script>"), null);
    assertThat(odd.body()).contains("could not be completed.").doesNotContain("script");
  }
}
