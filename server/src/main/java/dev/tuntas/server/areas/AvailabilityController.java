package dev.tuntas.server.areas;

import dev.tuntas.areas.Admission.Customer;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Refused;
import dev.tuntas.areas.Area;
import dev.tuntas.areas.AreaDesk.Question;
import dev.tuntas.areas.Place;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.Fields;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.context.annotation.Conditional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Tells before an order whether it would come in.
@RestController
@Conditional(Here.Web.class)
class AvailabilityController {

  private final AreaAnswers answers;
  private final CustomerLoyalty loyalty;

  AvailabilityController(AreaAnswers answers, CustomerLoyalty loyalty) {
    this.answers = answers;
    this.loyalty = loyalty;
  }

  @PostMapping("/api/v1/dispatcher/availability-check")
  ResponseEntity<?> check(JsonBody body, Caller caller, HttpServletRequest request) {
    var fields = body.fields();
    var pickup = place(fields.object("pickup_location"));
    var service = service(fields, "service_type");
    var channel = fields.id("channel");
    var claimed = fields.optionalText("loyalty_level", 64).orElse(null);
    var user = fields.optionalId("user_id").orElse(null);
    fields.finish();
    var customer = new Customer(loyalty.of(caller, user, claimed), channel);
    var question = new Question(pickup, service, customer);
    var language = Language.preferred(request.getHeader("Accept-Language"));
    return switch (answers.check(question)) {
      case Admitted admitted -> answers.admitted(question, admitted, language);
      case Refused refused -> answers.refused(question, refused, language, request);
    };
  }

  private static Place place(Fields fields) {
    return new Place(
        fields.number("latitude", -90, 90, "location_invalid"),
        fields.number("longitude", -180, 180, "location_invalid"));
  }

  static String service(Fields fields, String name) {
    var service = fields.id(name);
    if (fields.has(name) && !Area.isService(service)) {
      fields.refuse(name, "out_of_range", "A service type has 1 to 32 of A-Z, 0-9 and _.");
    }
    return service;
  }
}
