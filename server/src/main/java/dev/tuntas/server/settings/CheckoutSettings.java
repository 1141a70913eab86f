package dev.tuntas.server.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/// In which order a checkout pays and takes its stock.
public record CheckoutSettings(@DefaultValue("pay-first") Order order) {

  public enum Order {
    PAY_FIRST,
    RESERVE_FIRST
  }
}
