package dev.tuntas.server.orders;

/// Which payment methods there are.
@FunctionalInterface
public interface PaymentMethods {
  boolean knows(String method);
}
