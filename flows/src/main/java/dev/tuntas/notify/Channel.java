package dev.tuntas.notify;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A way to reach people: a chat, a mailbox, a webhook. What throws may have been sent.
public interface Channel {

  enum Audience {
    SUPPORT,
    CUSTOMER
  }

  /// What goes out at once. `cause` is the same for every attempt, so that the other side can
  /// recognise a repetition. Several messages together are alerts in a flood.
  record Parcel(String cause, List<Message> messages, Instant at) {
    public Parcel {
      messages = List.copyOf(messages);
    }
  }

  /// What became of an attempt.
  sealed interface Receipt {
    record Sent() implements Receipt {}

    /// There is nobody to send it to.
    record Nobody(String why) implements Receipt {}

    /// It may go through later, and not before `after`, if the other side said so.
    record Later(String why, @Nullable Duration after) implements Receipt {}

    /// It will never go through as it is.
    record Refused(String why) implements Receipt {}
  }

  /// Its name in the table of deliveries, for ever.
  String name();

  Audience audience();

  Receipt send(Parcel parcel) throws Exception;
}
