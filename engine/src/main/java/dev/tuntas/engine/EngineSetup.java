package dev.tuntas.engine;

import dev.tuntas.saga.SagaDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an engine is made of. Everything but the store, the codec and the definitions has a
/// default.
public final class EngineSetup {

  private final SagaStore sagas;
  private final Outbox outbox;
  private final DataCodec codec;
  private final List<SagaDefinition<?>> definitions = new ArrayList<>();
  private final Map<String, Lane.Settings> lanes = new LinkedHashMap<>();
  private @Nullable Publisher publisher;
  private @Nullable ConsumerInbox consumers;
  private EngineSettings settings = EngineSettings.standard();
  private EngineListener listener = EngineListener.NONE;
  private String nodeName = "node";
  private boolean runs = true;
  private Doorbell doorbell = Doorbell.NONE;

  private EngineSetup(SagaStore sagas, Outbox outbox, DataCodec codec) {
    this.sagas = sagas;
    this.outbox = outbox;
    this.codec = codec;
  }

  /// An engine on a store that holds sagas and their notices.
  public static <S extends SagaStore & Outbox> EngineSetup on(S store, DataCodec codec) {
    return new EngineSetup(store, store, codec);
  }

  /// An engine on a store whose parts are apart.
  public static EngineSetup on(SagaStore sagas, Outbox outbox, DataCodec codec) {
    return new EngineSetup(sagas, outbox, codec);
  }

  /// The sagas it can run. Keep old versions as long as sagas of theirs run.
  public EngineSetup define(SagaDefinition<?>... sagas) {
    definitions.addAll(List.of(sagas));
    return this;
  }

  /// A partner's limits. A lane that steps name and nobody describes has none but a breaker.
  public EngineSetup lane(Lane.Settings limits) {
    lanes.put(limits.name(), limits);
    return this;
  }

  /// Where notices go. It must be said: whichever process relays, relays for all of them.
  public EngineSetup publishTo(Publisher to) {
    this.publisher = to;
    return this;
  }

  /// What consumers have seen, so that it is purged with the rest.
  public EngineSetup consumers(ConsumerInbox inbox) {
    this.consumers = inbox;
    return this;
  }

  public EngineSetup settings(EngineSettings with) {
    this.settings = with;
    return this;
  }

  /// Who hears what the engine does, in this order.
  public EngineSetup listener(EngineListener... with) {
    this.listener = new QuietListener(with);
    return this;
  }

  /// How this process is called in the store, for people.
  public EngineSetup nodeName(String name) {
    this.nodeName = name;
    return this;
  }

  /// It starts sagas and hears what is said to them, but runs none: that is left to the other
  /// processes on the same store. What it starts waits there for the first of them.
  public EngineSetup runsNone() {
    this.runs = false;
    return this;
  }

  /// How other processes are told that there is something to do; else they find it by looking.
  public EngineSetup doorbell(Doorbell to) {
    this.doorbell = to;
    return this;
  }

  /// Starts the engine.
  public Engine open() {
    return new Engine(this);
  }

  SagaStore sagas() {
    return sagas;
  }

  Outbox outbox() {
    return outbox;
  }

  DataCodec codec() {
    return codec;
  }

  List<SagaDefinition<?>> definitions() {
    return definitions;
  }

  Map<String, Lane.Settings> lanes() {
    return lanes;
  }

  @Nullable Publisher publisher() {
    return publisher;
  }

  @Nullable ConsumerInbox consumers() {
    return consumers;
  }

  EngineSettings settings() {
    return settings;
  }

  EngineListener listener() {
    return listener;
  }

  String nodeName() {
    return nodeName;
  }

  boolean runs() {
    return runs;
  }

  Doorbell doorbell() {
    return doorbell;
  }
}
