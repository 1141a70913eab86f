package dev.tuntas.notify;

import dev.tuntas.notify.Contacts.Contact;
import dev.tuntas.notify.Message.CustomerNotice;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// A notice in the customer's words: a subject, and plain text. Indonesian for those who want it,
/// English for all others. Nothing in it comes from outside but the order's id.
public record CustomerText(String subject, String body) {

  private static final Properties ENGLISH = words("en");
  private static final Properties INDONESIAN = words("id");

  public static CustomerText of(CustomerNotice notice, @Nullable Contact contact) {
    var words = contact != null && isIndonesian(contact.locale()) ? INDONESIAN : ENGLISH;
    var topic = notice.topic().name().toLowerCase(Locale.ROOT);
    var subject = filled(words, topic + ".subject", notice);
    var body = filled(words, topic + ".body", notice);
    var page = contact == null ? null : contact.page();
    return new CustomerText(
        subject, page == null ? body : body + "\n\n" + words.getProperty("page") + " " + page);
  }

  private static boolean isIndonesian(@Nullable String tag) {
    return tag != null && Locale.forLanguageTag(tag.replace('_', '-')).getLanguage().equals("id");
  }

  private static String filled(Properties words, String key, CustomerNotice notice) {
    var kind = notice.orderKind();
    var amount = notice.amount();
    var reason = notice.reason();
    var because = reason == null ? "" : "because." + reason.toLowerCase(Locale.ROOT);
    return word(words, kind, key)
        .replace("{what}", word(words, kind, "what"))
        .replace("{amount}", amount == null ? "-" : amount.text())
        .replace("{because}", words.getProperty(because, ""))
        .replace("{id}", notice.orderId());
  }

  private static String word(Properties words, String kind, String key) {
    var own = words.getProperty(kind + "." + key);
    return own != null ? own : Objects.requireNonNull(words.getProperty(key), key);
  }

  private static Properties words(String language) {
    var words = new Properties();
    try (var in =
        Objects.requireNonNull(
            CustomerText.class.getResourceAsStream("texts_" + language + ".properties"))) {
      words.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return words;
  }
}
