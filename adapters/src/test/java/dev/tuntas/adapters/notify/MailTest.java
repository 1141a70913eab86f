package dev.tuntas.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.tuntas.adapters.notify.SmtpSettings.Security;
import dev.tuntas.notify.Channel.Receipt;
import dev.tuntas.notify.Contacts.Contact;
import dev.tuntas.notify.Message.Topic;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailTest {

  private final ServerSetup setup = new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP);
  private final GreenMail server = new GreenMail(setup);

  @BeforeEach
  void start() {
    setup.setServerStartupTimeout(30_000);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private static Smtp smtp(int port) {
    return smtp(port, Duration.ofSeconds(20));
  }

  private static Smtp smtp(int port, Duration timeout) {
    return new Smtp(
        new SmtpSettings(
            "127.0.0.1", port, Security.NONE, null, null, "no-reply@shop.example", timeout));
  }

  private Smtp smtp() {
    return smtp(server.getSmtp().getPort());
  }

  private MimeMessage only() {
    assertThat(server.getReceivedMessages()).hasSize(1);
    return server.getReceivedMessages()[0];
  }

  private static String text(MimeMessage mail) throws Exception {
    return ((String) mail.getContent()).replace("\r\n", "\n");
  }

  private Receipt tell(@Nullable String email, String locale) {
    var contact = new Contact(email, null, locale, "https://shop.example/o/abc");
    var channel = new CustomerMailChannel(smtp(), _ -> Optional.of(contact));
    return channel.send(Samples.parcel(Samples.notice(Topic.REFUNDED)));
  }

  @Test
  void an_alert_has_all_that_the_document_asks_for() throws Exception {
    var channel = new SupportMailChannel(smtp(), SupportMailChannel.DEFAULT_RECIPIENT);
    assertThat(channel.send(Samples.parcel(Samples.alert()))).isEqualTo(new Receipt.Sent());
    assertThat(only().getSubject()).isEqualTo("Manual Refund Required: ord_1");
    assertThat(only().getAllRecipients()[0].toString())
        .isEqualTo("supporting-reservation@bluebird.id");
    assertThat(text(only()).lines())
        .contains(
            "Order ID: ord_1",
            "Status: CANCELLED_BY_SYSTEM_AFTER_PAYMENT",
            "Reason: Job ID retrieval timeout after 30 minutes",
            "Payment Status: PAID",
            "Payment Amount: Rp 150,000",
            "2. Process full refund via refund module",
            "Priority: High",
            "SLA: Within 24 hours");
  }

  @Test
  void nothing_from_outside_becomes_a_header_or_markup() throws Exception {
    new SupportMailChannel(smtp(), "team@shop.example").send(Samples.parcel(Samples.hostile()));
    assertThat(only().getHeader("Bcc")).isNull();
    assertThat(only().getAllRecipients()).hasSize(1);
    assertThat(only().getContentType()).startsWith("text/plain");
    assertThat(only().getSubject()).contains("<!channel>").doesNotContain("\r", "\n");
  }

  @Test
  void several_alerts_in_a_flood_are_one_mail() throws Exception {
    new SupportMailChannel(smtp(), "team@shop.example")
        .send(Samples.parcel(Samples.alert("ord_1", "a"), Samples.alert("ord_2", "b")));
    assertThat(only().getSubject()).isEqualTo("2 tickets need a person");
    assertThat(text(only())).contains("ord_1", "ord_2");
  }

  @Test
  void a_customer_is_told_in_the_customers_language() throws Exception {
    assertThat(tell("ann@example.com", "id")).isEqualTo(new Receipt.Sent());
    assertThat(text(only())).contains("Rp 150,000 telah dikembalikan", "3-5 hari kerja");
    assertThat(text(only())).contains("https://shop.example/o/abc");
  }

  @Test
  void a_repetition_has_the_same_message_id() throws Exception {
    tell("ann@example.com", "en");
    tell("ann@example.com", "en");
    var mails = server.getReceivedMessages();
    assertThat(mails).hasSize(2);
    assertThat(mails[0].getMessageID()).isEqualTo(mails[1].getMessageID());
  }

  @Test
  void a_customer_without_an_address_is_nobody() {
    assertThat(tell(null, "en")).isInstanceOf(Receipt.Nobody.class);
    var channel = new CustomerMailChannel(smtp(), _ -> Optional.empty());
    assertThat(channel.send(Samples.parcel(Samples.notice(Topic.CONFIRMED))))
        .isInstanceOf(Receipt.Nobody.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ann@example.com\r\nBcc: evil@example.com",
        "ann@example.com,evil@example.com",
        "Ann <ann@example.com>, evil@example.com",
        "group: a@example.com, b@example.com;",
        "ann",
        "@",
        "",
        "ann@exa mple.com"
      })
  void what_is_not_one_address_gets_no_mail(String address) {
    assertThat(tell(address, "en"))
        .isEqualTo(new Receipt.Refused("the recipient's address is none"));
    assertThat(server.getReceivedMessages()).isEmpty();
  }

  @Test
  void a_server_that_is_away_is_tried_again_and_no_address_is_told() {
    int port = server.getSmtp().getPort();
    server.stop();
    var channel =
        new CustomerMailChannel(
            smtp(port), _ -> Optional.of(new Contact("ann@example.com", null, null, null)));
    var receipt = channel.send(Samples.parcel(Samples.notice(Topic.CONFIRMED)));
    assertThat(receipt).isInstanceOf(Receipt.Later.class);
    assertThat(receipt.toString()).doesNotContain("ann");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"550 5.1.1 <ann@example.com> unknown", "450 4.2.1 <ann@example.com> busy"})
  void what_a_server_says_about_an_address_is_kept_as_its_code(String answer) throws Exception {
    var code = answer.substring(0, 3);
    try (var socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var thread = Thread.ofVirtual().start(() -> converse(socket, answer));
      var receipt =
          smtp(socket.getLocalPort())
              .send(new Smtp.Mail("c", "ann@example.com", "s", "t", Samples.NOW));
      thread.join();
      assertThat(receipt)
          .isEqualTo(
              code.startsWith("5")
                  ? new Receipt.Refused("SMTP 550")
                  : new Receipt.Later("SMTP 450", null));
    }
  }

  /// A mail server that takes every command but the recipient.
  private static void converse(ServerSocket server, String toRecipient) {
    try (var socket = server.accept();
        var in =
            new java.io.BufferedReader(
                new java.io.InputStreamReader(
                    socket.getInputStream(), StandardCharsets.US_ASCII))) {
      var out = socket.getOutputStream();
      out.write("220 here\r\n".getBytes(StandardCharsets.US_ASCII));
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        var answer = line.startsWith("RCPT") ? toRecipient : "250 ok";
        if (line.startsWith("QUIT")) answer = "221 bye";
        out.write((answer + "\r\n").getBytes(StandardCharsets.US_ASCII));
        if (line.startsWith("QUIT")) return;
      }
    } catch (IOException _) {
      // the other side has left
    }
  }

  @Test
  void a_server_that_hangs_is_left() throws Exception {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var mail = new Smtp.Mail("c", "ann@example.com", "s", "t", Samples.NOW);
      var smtp = smtp(silent.getLocalPort(), Duration.ofMillis(500));
      assertThat(smtp.send(mail)).isInstanceOf(Receipt.Later.class);
    }
  }

  @Test
  void a_sender_that_is_no_address_is_refused_at_once() {
    assertThatThrownBy(
            () ->
                new Smtp(
                    new SmtpSettings(
                        "h", 25, Security.NONE, null, null, "nobody", Duration.ofSeconds(1))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
