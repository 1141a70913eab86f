package dev.tuntas.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.adapters.notify.OutgoingUrls.NotAllowedException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutgoingUrlsTest {

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static OutgoingUrls strict(String... addresses) {
    var answers = new ArrayDeque<>(List.of(addresses));
    return new OutgoingUrls(
        false,
        host -> {
          if (host.matches("[0-9a-fx.:]+")) return new InetAddress[] {address(host)};
          if (answers.isEmpty()) throw new UnknownHostException(host);
          return new InetAddress[] {address(answers.removeFirst())};
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1/x",
        "http://[::1]/x",
        "http://0x7f000001/x",
        "http://2130706433/x",
        "http://127.1/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::ffff:127.0.0.1]/x",
        "https://[::ffff:7f00:1]/x",
        "https://[::127.0.0.1]/x",
        "https://[64:ff9b::7f00:1]/x",
        "https://[2002:7f00:1::]/x",
        "https://[fe80::1]/x",
        "https://[fd00::1]/x",
        "https://0x7f000001/x",
        "https://2130706433/x",
        "https://127.1/x",
        "https://0.0.0.0/x",
        "https://10.1.2.3/x",
        "https://100.64.0.1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://172.31.255.255/x",
        "https://192.168.0.1/x",
        "https://224.0.0.1/x",
        "https://255.255.255.255/x",
        "https://good@evil.example/x",
        "https://good:pass@evil.example/x",
        "https://hooks.example:22/x",
        "https://hooks.example:80/x",
        "https://hooks.example/x#fragment",
        "http://hooks.example/x",
        "file:///etc/passwd",
        "gopher://hooks.example/x",
        "javascript:alert(1)",
        "https:///x",
        "https://",
        "//hooks.example/x",
        "hooks.example",
        "",
        "https://hooks.example/\r\nHost: evil",
        "https://hooks.example/ x",
        "https://exa mple/x"
      })
  void this_leads_nowhere(String url) {
    assertThat(strict("93.184.216.34").objection(url)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://hooks.example/services/T0/B0/x",
        "HTTPS://hooks.example:8443/x?y=z",
        "https://93.184.216.34/x",
        "https://[2606:2800:220:1::1]/x"
      })
  void this_is_a_public_place(String url) {
    assertThat(strict("93.184.216.34").objection(url)).isEmpty();
  }

  @Test
  void a_name_is_resolved_once_so_that_its_second_answer_does_not_matter() throws Exception {
    var urls = strict("93.184.216.34", "127.0.0.1");
    assertThat(urls.resolve("https://rebinding.example/x").address())
        .isEqualTo(address("93.184.216.34"));
    assertThatThrownBy(() -> urls.resolve("https://rebinding.example/x"))
        .isInstanceOf(NotAllowedException.class);
  }

  @Test
  void one_private_address_among_public_ones_is_one_too_many() {
    var urls =
        new OutgoingUrls(
            false, _ -> new InetAddress[] {address("93.184.216.34"), address("10.0.0.1")});
    assertThat(urls.objection("https://hooks.example/x")).isPresent();
  }

  @Test
  void a_name_that_cannot_be_resolved_is_not_sent_to_and_may_be_good_later() {
    assertThat(strict().objection("https://hooks.example/x")).isEmpty();
    assertThatThrownBy(() -> strict().resolve("https://hooks.example/x"))
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void a_test_may_send_to_this_machine() {
    assertThat(OutgoingUrls.of(true).objection("http://127.0.0.1:8080/x")).isEmpty();
    assertThat(OutgoingUrls.of(true).objection("ftp://127.0.0.1/x")).isPresent();
    assertThat(OutgoingUrls.of(false).objection("https://127.0.0.1:8443/x")).isPresent();
  }
}
