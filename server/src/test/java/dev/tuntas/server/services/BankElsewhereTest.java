package dev.tuntas.server.services;

import static dev.tuntas.server.services.ServicesServer.ADMIN_KEY;
import static dev.tuntas.server.services.ServicesServer.SERVICE_KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.server.settings.SettingsException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A payment service alone, whose bank is simulated in another process.
class BankElsewhereTest {

  private static final String CHARGES = "/api/v1/payments/charges";
  private static final ServicesServer bank = ServicesServer.shared();

  @TempDir private static Path data;
  private static ServicesServer payment;

  @BeforeAll
  static void start() {
    payment =
        ServicesServer.start(
            data.resolve("payment"),
            "--tuntas.roles=payment",
            "--tuntas.partners.bank.url=" + bank.url() + "/partner/bank",
            "--tuntas.partners.bank.credential=" + ServicesServer.PARTNER_KEY);
  }

  @AfterAll
  static void stop() {
    payment.close();
  }

  private static String charge(String order, String method) {
    return "{'order_id':'%s','payment_method':'%s','amount':5000,'currency':'IDR'}"
        .formatted(order, method);
  }

  private static long effects(String order) {
    return bank.get("/sim/bank/ledger", ADMIN_KEY)
        .json()
        .get("entries")
        .valueStream()
        .filter(entry -> entry.path("order_id").asString("").equals(order))
        .count();
  }

  @Test
  void a_charge_and_its_refund_are_in_both_books_once() {
    for (int i = 0; i < 2; i++) {
      assertThat(payment.post(CHARGES, "away-1", charge("away-1", "pm_ok")).status())
          .isEqualTo(201);
    }
    assertThat(effects("away-1")).isEqualTo(1);

    var refund = "{'order_id':'away-1','amount':5000,'currency':'IDR','whole':true}";
    var refunded = payment.post("/api/v1/payments/refunds", "away-1-back", refund);
    assertThat(refunded.status()).isEqualTo(201);
    assertThat(effects("away-1")).isEqualTo(2);
    var books = payment.get("/api/v1/payments/away-1", SERVICE_KEY).json();
    assertThat(books.path("refunded").path("amount").asLong()).isEqualTo(5000);
  }

  @Test
  void a_reply_that_was_lost_is_asked_for_again_and_charged_once() {
    var lost = payment.post(CHARGES, "away-2", charge("away-2", "pm_lost_reply"));
    assertThat(lost.status()).isEqualTo(503);
    assertThat(lost.code()).isEqualTo("outcome_unclear");

    assertThat(payment.post(CHARGES, "away-2", charge("away-2", "pm_lost_reply")).status())
        .isEqualTo(201);
    assertThat(effects("away-2")).isEqualTo(1);
  }

  @Test
  void a_decline_of_the_bank_is_a_decline_here() {
    var declined = payment.post(CHARGES, "away-3", charge("away-3", "pm_declined"));
    assertThat(declined.status()).isEqualTo(402);
    assertThat(declined.code()).isEqualTo("payment_declined");
  }

  @Test
  void without_any_bank_it_does_not_start() {
    assertThatThrownBy(() -> ServicesServer.start(data.resolve("poor"), "--tuntas.roles=payment"))
        .hasRootCauseInstanceOf(SettingsException.class)
        .rootCause()
        .hasMessageContaining("set partners.bank.url");
  }
}
