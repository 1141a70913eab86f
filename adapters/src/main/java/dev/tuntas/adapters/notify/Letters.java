package dev.tuntas.adapters.notify;

import dev.tuntas.notify.Channel.Parcel;
import dev.tuntas.notify.Message;
import dev.tuntas.notify.Message.Alert;
import dev.tuntas.notify.Message.CustomerNotice;
import java.util.List;

/// What is in a parcel, for those who know what they expect.
final class Letters {

  private Letters() {}

  static List<Alert> alerts(Parcel parcel) {
    return parcel.messages().stream().map(Letters::alert).toList();
  }

  private static Alert alert(Message message) {
    return switch (message) {
      case Alert alert -> alert;
      case CustomerNotice _ -> throw new IllegalArgumentException("this is for a customer");
    };
  }

  static CustomerNotice notice(Parcel parcel) {
    if (parcel.messages().size() != 1) {
      throw new IllegalArgumentException("customers are told one thing at a time");
    }
    return switch (parcel.messages().getFirst()) {
      case CustomerNotice notice -> notice;
      case Alert _ -> throw new IllegalArgumentException("this is not for a customer");
    };
  }
}
