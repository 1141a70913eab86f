package dev.tuntas.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DocumentedNamesTest {

  @Test
  void counters_get_back_the_names_that_documents_know() {
    var library =
        """
        # HELP order_status_count_total Orders that entered a status
        # TYPE order_status_count_total counter
        order_status_count_total{status="FAILED"} 1.0
        timeout_worker_expired_events_total 0.0
        """;

    assertThat(DocumentedNames.in(library))
        .isEqualTo(
            """
            # HELP order_status_count Orders that entered a status
            # TYPE order_status_count counter
            order_status_count{status="FAILED"} 1.0
            timeout_worker_expired_events 0.0
            """);
  }

  @Test
  void a_gauge_keeps_the_ending_that_the_library_thinks_only_counters_have() {
    var library =
        """
        # TYPE dispatcher_waiting_orders gauge
        dispatcher_waiting_orders{area_id="JKT"} 1.0
        dispatcher_waiting_orders_elsewhere 1.0
        """;

    assertThat(DocumentedNames.in(library))
        .isEqualTo(
            """
            # TYPE dispatcher_waiting_orders_total gauge
            dispatcher_waiting_orders_total{area_id="JKT"} 1.0
            dispatcher_waiting_orders_elsewhere 1.0
            """);
  }

  @Test
  void all_others_stay_as_they_are() {
    var others =
        """
        # TYPE compensation_total counter
        compensation_total{result="failed",of="order_status_count_total"} 0.0
        my_order_status_count_total 0.0
        """;

    assertThat(DocumentedNames.in(others)).isEqualTo(others);
  }
}
