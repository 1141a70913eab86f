package dev.tuntas.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.tuntas.notify.Channel.Receipt;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutgoingPostTest {

  private static final byte[] BODY = "{\"a\":\"é\"}".getBytes(StandardCharsets.UTF_8);

  private static OutgoingPost post(Duration timeout) throws Exception {
    return new OutgoingPost(OutgoingUrls.of(true), SSLContext.getDefault(), timeout);
  }

  private static Receipt send(String url) throws Exception {
    return post(Duration.ofSeconds(5)).send(url, Map.of("x-y", "z"), BODY, Samples.NOW);
  }

  @Test
  void what_is_sent_arrives_as_it_is() throws Exception {
    try (var receiver = Receiver.open()) {
      assertThat(send(receiver.url())).isEqualTo(new Receipt.Sent());
      var request = receiver.requests.getFirst();
      assertThat(request.body()).isEqualTo(BODY);
      assertThat(request.headers())
          .containsEntry("X-y", "z")
          .containsEntry("Content-type", "application/json");
    }
  }

  @ParameterizedTest
  @CsvSource({"500", "502", "503", "429", "408"})
  void what_may_pass_is_tried_again(int status) throws Exception {
    try (var receiver = Receiver.open()) {
      receiver.status = status;
      assertThat(send(receiver.url())).isEqualTo(new Receipt.Later("HTTP " + status, null));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7|PT7S",
        "Mon, 16 Nov 2026 02:00:30 GMT|PT30S",
        "Mon, 16 Nov 2026 01:00:30 GMT|",
        "soon|",
        "-1|"
      })
  void a_receiver_may_say_when(String said, String wait) throws Exception {
    try (var receiver = Receiver.open()) {
      receiver.status = 429;
      receiver.headers = Map.of("Retry-After", said);
      assertThat(send(receiver.url()))
          .isEqualTo(new Receipt.Later("HTTP 429", wait == null ? null : Duration.parse(wait)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 410})
  void what_will_not_pass_is_refused(int status) throws Exception {
    try (var receiver = Receiver.open()) {
      receiver.status = status;
      assertThat(send(receiver.url())).isEqualTo(new Receipt.Refused("HTTP " + status));
    }
  }

  @Test
  void a_redirect_is_not_followed() throws Exception {
    try (var receiver = Receiver.open();
        var hidden = Receiver.open()) {
      receiver.status = 302;
      receiver.headers = Map.of("Location", hidden.url());
      assertThat(send(receiver.url())).isInstanceOf(Receipt.Refused.class);
      assertThat(hidden.requests).isEmpty();
    }
  }

  @Test
  void a_receiver_that_hangs_is_left() throws Exception {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var url = "http://127.0.0.1:" + silent.getLocalPort() + "/";
      var receipt = post(Duration.ofMillis(300)).send(url, Map.of(), BODY, Samples.NOW);
      assertThat(receipt).isInstanceOf(Receipt.Later.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 200", "HTTP/1.1 999 x\r\n\r\n"})
  void an_answer_that_is_none_is_no_receipt(String answer) throws Exception {
    assertThat(answering(answer.getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(Receipt.Later.class);
  }

  @Test
  void an_endless_head_is_not_read_to_its_end() throws Exception {
    var endless = "HTTP/1.1 200 OK\r\n" + "x: y\r\n".repeat(10_000);
    assertThat(answering(endless.getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(Receipt.Later.class);
  }

  private static Receipt answering(byte[] answer) throws Exception {
    try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (var socket = server.accept()) {
                      socket.getOutputStream().write(answer);
                    } catch (java.io.IOException _) {
                      // the other side has left
                    }
                  });
      var receipt = send("http://127.0.0.1:" + server.getLocalPort() + "/");
      thread.join();
      return receipt;
    }
  }

  @Test
  void nobody_there_is_tried_again() throws Exception {
    int free;
    try (var socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    assertThat(send("http://127.0.0.1:" + free + "/")).isInstanceOf(Receipt.Later.class);
  }

  @Test
  void a_place_that_is_not_allowed_is_never_called() throws Exception {
    try (var receiver = Receiver.open()) {
      var strict =
          new OutgoingPost(OutgoingUrls.of(false), SSLContext.getDefault(), Duration.ofSeconds(5));
      var receipt =
          strict.send(receiver.url().replace("http:", "https:"), Map.of(), BODY, Samples.NOW);
      assertThat(receipt).isInstanceOf(Receipt.Refused.class);
      assertThat(receiver.requests).isEmpty();
    }
  }

  @Test
  void the_name_in_the_certificate_must_be_the_one_that_was_asked_for(@TempDir Path folder)
      throws Exception {
    var tls = certificateFor("good.example", folder);
    var server = HttpsServer.create(Receiver.here(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    try (var receiver = new Receiver(server)) {
      var urls = new OutgoingUrls(true, OutgoingPostTest::alwaysHere);
      var post = new OutgoingPost(urls, tls, Duration.ofSeconds(5));
      var good = "https://good.example:" + receiver.port() + "/x";
      assertThat(post.send(good, Map.of(), BODY, Samples.NOW)).isEqualTo(new Receipt.Sent());
      var evil = "https://evil.example:" + receiver.port() + "/x";
      assertThat(post.send(evil, Map.of(), BODY, Samples.NOW)).isInstanceOf(Receipt.Later.class);
      assertThat(receiver.requests).hasSize(1);
    }
  }

  private static InetAddress[] alwaysHere(String host) throws UnknownHostException {
    return new InetAddress[] {InetAddress.getLoopbackAddress()};
  }

  private static SSLContext certificateFor(String host, Path folder) throws Exception {
    var file = folder.resolve("keys.p12");
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var made =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(made.waitFor()).as(() -> "keytool in " + folder).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, "changeit".toCharArray());
    }
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, "changeit".toCharArray());
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", keys.getCertificate("a"));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var tls = SSLContext.getInstance("TLS");
    tls.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return tls;
  }
}
