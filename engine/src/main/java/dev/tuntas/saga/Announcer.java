package dev.tuntas.saga;

import java.util.List;

/// Chooses what the world hears of a saga. It decides from what it is given and calls nobody.
@FunctionalInterface
public interface Announcer<D> {
  List<Notice> at(Moment<D> moment);

  /// Ends, and everything that wants a person.
  static <D> Announcer<D> endsAndTrouble() {
    return moment ->
        switch (moment.kind()) {
          case HELD, COMPENSATION_FAILED, DONE, UNDONE -> List.of(plain(moment));
          case STARTED, STEP_DONE, STEP_SKIPPED, UNDOING, LATE_SIGNAL -> List.of();
        };
  }

  private static Notice plain(Moment<?> moment) {
    var json = new StringBuilder(96);
    json.append("{\"saga\":").append(Json.quote(moment.sagaId()));
    json.append(",\"definition\":").append(Json.quote(moment.definition()));
    var step = moment.step();
    if (step != null) json.append(",\"step\":").append(Json.quote(step));
    var cause = moment.cause();
    if (cause != null) {
      json.append(",\"code\":").append(Json.quote(cause.code()));
      json.append(",\"detail\":").append(Json.quote(cause.detail()));
    }
    if (moment.doubted()) json.append(",\"doubted\":true");
    return new Notice(type(moment.kind()), json.append('}').toString());
  }

  private static String type(Moment.Kind kind) {
    return switch (kind) {
      case STARTED -> "saga.started";
      case STEP_DONE -> "saga.step_done";
      case STEP_SKIPPED -> "saga.step_skipped";
      case UNDOING -> "saga.undoing";
      case HELD -> "saga.held";
      case COMPENSATION_FAILED -> "saga.compensation_failed";
      case LATE_SIGNAL -> "saga.late_signal";
      case DONE -> "saga.done";
      case UNDONE -> "saga.undone";
    };
  }
}
