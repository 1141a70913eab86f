package dev.tuntas.server.orders;

import dev.tuntas.areas.AreaDesk;
import dev.tuntas.engine.StepView;
import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.RideSaga;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How far the search for a driver is, for the customer who waits.
///
/// @param attempt which one is under way; 0 before the first
/// @param nextAt when the next one begins, if this one finds nobody
/// @param endsAt when it is given up
/// @param left until then, as a clock shows it
/// @param waitMinutes how long it takes lately, if that is known
public record Search(
    int attempt,
    @Nullable Instant nextAt,
    Instant endsAt,
    String left,
    @Nullable Long waitMinutes) {

  private static final Set<String> SEARCHING = Set.of("PENDING_JOB_ID", "ASSIGNED");

  /// Null when nobody is looked for, or not any more.
  static @Nullable Search of(OrderView view, AreaDesk areas, Instant now) {
    var standing = view.standing();
    if (view.order().trip() == null || !SEARCHING.contains(standing.status())) return null;
    if (standing.needsAttention()) return null;
    var wish = view.order().ride().wish();
    var driver = driver(view);
    var wait = areas.estimatedWait(wish.areaId(), wish.serviceType());
    return new Search(
        driver == null ? 0 : RideSaga.attempt(driver.attempts()),
        driver == null ? null : RideSaga.nextDispatch(view.order().ride(), driver),
        wish.endsAt(),
        clock(Duration.between(now, wish.endsAt())),
        wait.map(it -> Math.max(1, (it.toSeconds() + 59) / 60)).orElse(null));
  }

  private static @Nullable StepView driver(OrderView view) {
    for (var step : view.steps()) if (step.name().equals(RideSaga.DRIVER)) return step;
    return null;
  }

  private static String clock(Duration left) {
    var shown = left.isNegative() ? Duration.ZERO : left;
    return "%d:%02d".formatted(shown.toMinutes(), shown.toSecondsPart());
  }
}
