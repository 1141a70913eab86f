package dev.tuntas.notify;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How customers can be reached. Asked when a message is sent, so that messages hold no addresses
/// and an address that was erased is used no more.
public interface Contacts {

  /// @param locale a language tag: `id` is Indonesian, anything else English
  /// @param page the customer's page of the order
  record Contact(
      @Nullable String email,
      @Nullable String phone,
      @Nullable String locale,
      @Nullable String page) {}

  Optional<Contact> of(String orderId);
}
