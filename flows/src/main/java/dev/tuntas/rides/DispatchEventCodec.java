package dev.tuntas.rides;

import dev.tuntas.saga.Signal;
import dev.tuntas.store.JacksonDataCodec;

/// Events as they lie in a saga's inbox.
final class DispatchEventCodec {

  private static final JacksonDataCodec JSON = new JacksonDataCodec();

  private DispatchEventCodec() {}

  static String write(DispatchEvent event) {
    return JSON.encode(event, DispatchEvent.class);
  }

  static DispatchEvent read(Signal signal) {
    return JSON.decode(signal.body(), DispatchEvent.class);
  }
}
