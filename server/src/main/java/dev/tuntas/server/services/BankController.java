package dev.tuntas.server.services;

import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.server.services.PaymentsController.Paid;
import dev.tuntas.server.settings.Here;
import dev.tuntas.simulator.SimulatedBank;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// The simulated bank, for other processes: their `partners.bank.url` ends in `/partner/bank`.
@RestController
@RequestMapping("/partner/bank/api/v1/payments")
@Conditional(Here.Simulator.class)
class BankController {

  private final SimulatedBank bank;

  BankController(SimulatedBank bank) {
    this.bank = bank;
  }

  @PostMapping("/charges")
  ResponseEntity<Paid> charge(HttpServletRequest request) {
    var asked = Asked.of(request);
    var fields = asked.fields();
    var charge = new Charge(fields.id("order_id"), fields.id("payment_method"), fields.money());
    var key = asked.requiredKey();
    fields.finish();
    return Paid.of(Told.orProblem(bank.charge(charge, key)));
  }

  @PostMapping("/refunds")
  ResponseEntity<Paid> refund(HttpServletRequest request) {
    var asked = Asked.of(request);
    var fields = asked.fields();
    boolean whole = fields.optionalFlag("whole").orElse(false);
    var refund = new Refund(fields.id("order_id"), fields.money(), whole);
    var key = asked.requiredKey();
    fields.finish();
    return Paid.of(Told.orProblem(bank.refund(refund, key)));
  }
}
