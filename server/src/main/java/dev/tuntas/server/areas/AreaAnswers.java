package dev.tuntas.server.areas;

import dev.tuntas.areas.AdmissionDecision;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Available;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.AdmissionDecision.Bypassed;
import dev.tuntas.areas.AdmissionDecision.Disabled;
import dev.tuntas.areas.AdmissionDecision.NotFound;
import dev.tuntas.areas.AdmissionDecision.Refused;
import dev.tuntas.areas.AdmissionDecision.Shadowed;
import dev.tuntas.areas.AdmissionDecision.Unasked;
import dev.tuntas.areas.AreaCode;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.AreaDesk.Question;
import dev.tuntas.areas.AreaLoad;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.Trouble;
import dev.tuntas.orders.AdmissionJournal;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.http.TraceId;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/// What is answered about admission, to the check and to an order alike.
public final class AreaAnswers {

  private static final Logger log = LoggerFactory.getLogger(AreaAnswers.class);

  private final Trouble trouble = new Trouble(log, "Reading the load of an area");
  private static final Duration UNAVAILABLE_RETRY = Duration.ofSeconds(5);

  private final AreaDesk desk;
  private final RefusalCounts refusals;
  private final AdmissionJournal journal;
  private final InstantSource clock;

  public AreaAnswers(
      AreaDesk desk, RefusalCounts refusals, AdmissionJournal journal, InstantSource clock) {
    this.desk = desk;
    this.refusals = refusals;
    this.journal = journal;
    this.clock = clock;
  }

  /// Asks the desk; counts that cannot be read end the request.
  public AdmissionDecision ask(Question question) {
    return ask(question, desk::ask);
  }

  /// The same for a check, which may be a moment behind.
  AdmissionDecision check(Question question) {
    return ask(question, desk::check);
  }

  private AdmissionDecision ask(Question question, Function<Question, AdmissionDecision> whom) {
    try {
      var decision = whom.apply(question);
      trouble.worked();
      journal.asked(decision);
      return decision;
    } catch (StoreException e) {
      trouble.failed(e);
      throw Problem.of(
              503,
              "DISPATCHER_SERVICE_UNAVAILABLE",
              "The load of the area cannot be read, and nothing was decided. Try again shortly.")
          .retryAfter(UNAVAILABLE_RETRY)
          .asException();
    }
  }

  /// The answer to the check of somebody who could come in.
  ResponseEntity<?> admitted(Question question, Admitted admitted, Language language) {
    var load = admitted.load();
    var now = clock.instant();
    var body = load(load, now, "AVAILABLE");
    body.put("estimated_wait_time_sec", load.estimatedWait().toSeconds());
    boolean bypassed = admitted instanceof Bypassed;
    body.put("bypassed", bypassed);
    switch (admitted) {
      case Available _, Unasked _ -> {}
      case Bypassed _ -> {
        var loyalty = question.customer().loyalty();
        body.put("max_with_bypass", load.maxWithBypassAt(now));
        body.put("loyalty_level", loyalty.name());
        body.put("bypass_reason", "LOYALTY_" + loyalty.name());
        body.put("message", bypass(loyalty, language));
      }
      case Shadowed _ -> body.put("shadow_mode", true);
    }
    return ResponseEntity.ok(body);
  }

  private static String bypass(Loyalty loyalty, Language language) {
    return language.either(
        "Area sedang sibuk, tapi Anda mendapat prioritas sebagai member " + loyalty.title(),
        "The area is busy, but you have priority as a " + loyalty.title() + " member");
  }

  /// The answer to somebody who cannot come in: to a check, or to an order.
  public ResponseEntity<?> refused(
      Question question, Refused refused, Language language, HttpServletRequest request) {
    return switch (refused) {
      case Busy busy -> busy(question, busy, language, request);
      case Disabled(var load, var retryAfter) -> {
        refusals.add(load.area().id(), load.service());
        throw Problem.of(
                503,
                "DISPATCHER_AREA_DISABLED",
                language.either(
                    "Layanan di area ini sedang dihentikan sementara.",
                    "Orders from this area are not taken at the moment."))
            .with("area_id", load.area().id())
            .retryAfter(retryAfter)
            .asException();
      }
      case NotFound() ->
          throw Problem.of(
                  400,
                  "DISPATCHER_AREA_NOT_FOUND",
                  language.either(
                      "Lokasi penjemputan di luar area layanan.",
                      "The pickup lies in no area that has this service."))
              .asException();
    };
  }

  /// The one error that is not a problem: clients know this body since before there were any.
  private ResponseEntity<?> busy(
      Question question, Busy busy, Language language, HttpServletRequest request) {
    var load = busy.load();
    var now = clock.instant();
    refusals.add(load.area().id(), load.service());
    var code = AreaCode.DISPATCHER_AREA_THRESHOLD_REACHED.name();
    var body = load(load, now, "SERVER_BUSY");
    body.put("error_code", code);
    body.put("code", code);
    long retryAfter = busy.retryAfter().toSeconds();
    body.put("retry_after_sec", retryAfter);
    body.put("estimated_wait_time_sec", load.estimatedWait().toSeconds());
    if (busy.withBypass()) {
      body.put("max_with_bypass", load.maxWithBypassAt(now));
      body.put("loyalty_level", question.customer().loyalty().name());
    }
    body.put("bypassed", false);
    body.put("message", busy(busy.withBypass(), language));
    body.put("alternatives", alternatives(question, load));
    body.put("trace_id", TraceId.of(request));
    return ResponseEntity.status(503)
        .contentType(MediaType.APPLICATION_JSON)
        .header("Retry-After", Long.toString(retryAfter))
        .body(body);
  }

  private static String busy(boolean withBypass, Language language) {
    return withBypass
        ? language.either(
            "Area sedang sangat sibuk, silakan coba beberapa saat lagi",
            "The area is very busy, please try again in a moment")
        : language.either(
            "Area sedang sibuk, silakan coba beberapa saat lagi",
            "The area is busy, please try again in a moment");
  }

  private static Map<String, Object> load(AreaLoad load, Instant now, String status) {
    var body = new LinkedHashMap<String, Object>();
    body.put("status", status);
    body.put("area_id", load.area().id());
    body.put("service_type", load.service());
    body.put("current_waiting", load.waiting());
    body.put("threshold", load.thresholdAt(now));
    return body;
  }

  /// A refusal stands also when nothing else can be suggested.
  private List<Map<String, Object>> alternatives(Question question, AreaLoad load) {
    try {
      return desk.alternatives(question, load.area()).stream()
          .map(AreaAnswers::alternative)
          .toList();
    } catch (StoreException e) {
      trouble.failed(e);
      return List.of();
    }
  }

  private static Map<String, Object> alternative(AreaDesk.Alternative it) {
    var body = new LinkedHashMap<String, Object>();
    body.put("area_id", it.area().id());
    body.put("name", it.area().name());
    body.put("distance_m", it.metres());
    body.put("estimated_wait_time_sec", it.estimatedWait().toSeconds());
    return body;
  }
}
