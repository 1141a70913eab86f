package dev.tuntas.crashtest;

import static dev.tuntas.saga.Step.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Publisher;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.RetryPolicy;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Snapshot;
import dev.tuntas.store.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;

/// The program that is killed: it starts sagas one after the other, says which are acknowledged,
/// and runs them until its end. Arguments: the store (`sqlite:FOLDER`, or a JDBC URL), the ledger's
/// port, a prefix for its sagas, and whether it starts any. Whoever only asks it to end lets it
/// write what it has done.
public final class Victim {

  private static final String SQLITE = "sqlite:";
  private static final int UNDER_WAY_MAX = 24;

  /// What a saga carries.
  public record Order(String id, int steps) {}

  private final int port;
  private final ArrayBlockingQueue<Line> idle = new ArrayBlockingQueue<>(256);

  private Victim(int port) {
    this.port = port;
  }

  public static void main(String[] args) throws Exception {
    var victim = new Victim(Integer.parseInt(args[1]));
    var stores = open(args[0]);
    var saga = victim.saga();
    var engine =
        EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
            .define(saga)
            .publishTo(Publisher.NOWHERE)
            .settings(EngineSettings.standard())
            .open();
    Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
    say("READY");
    if (Boolean.parseBoolean(args[3])) victim.startForEver(engine, saga, args[2]);
    else Thread.currentThread().join();
  }

  static Stores open(String store) {
    return isFile(store)
        ? Stores.sqlite(folder(store), InstantSource.system())
        : Stores.postgres(PostgresSettings.of(store, null, null));
  }

  /// Its tables, beside whoever has it open.
  static Snapshot look(String store) {
    var tables =
        isFile(store)
            ? Snapshot.ofSagas(folder(store))
            : Snapshot.ofSagas(PostgresSettings.of(store, null, null));
    return tables.orElseThrow();
  }

  private static boolean isFile(String store) {
    return store.startsWith(SQLITE);
  }

  private static Path folder(String store) {
    return Path.of(store.substring(SQLITE.length()));
  }

  private void startForEver(Engine engine, SagaDefinition<Order> saga, String prefix)
      throws InterruptedException {
    var room = new Semaphore(UNDER_WAY_MAX);
    for (int n = 0; ; n++) {
      room.acquire();
      var id = prefix + n;
      engine.ended(id).thenRun(room::release);
      engine.start(saga, id, new Order(id, 0));
      say("ACK " + id);
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  SagaDefinition<Order> saga() {
    return SagaDefinition.saga(
        "order",
        1,
        Order.class,
        effect("pay").undo(doing("refund")),
        effect("stock").pivot(),
        effect("confirm"));
  }

  private Step<Order> effect(String name) {
    return step(name, doing(name))
        .unrepeatable()
        .timeout(ofSeconds(1))
        .ifUnclearAsk(
            finding(name),
            AskPolicy.firstAfter(ofMillis(100))
                .then(RetryPolicy.patient().intervals(ofMillis(200), ofSeconds(1))))
        .retry(RetryPolicy.patient().intervals(ofMillis(100), ofSeconds(1)));
  }

  private Action<Order> doing(String name) {
    return (order, _) -> {
      say("DO", name, order);
      return Outcome.done(new Order(order.id(), order.steps() + 1));
    };
  }

  private Action<Order> finding(String name) {
    return (order, _) ->
        say("FIND", name, order).equals("YES")
            ? Outcome.done(new Order(order.id(), order.steps() + 1))
            : Outcome.absent("the ledger has no " + name);
  }

  private String say(String verb, String name, Order order) throws IOException {
    var line = idle.poll();
    if (line == null) line = new Line(new Socket(InetAddress.getLoopbackAddress(), port));
    var answer = line.ask(verb + " " + name + ":" + order.id());
    if (!idle.offer(line)) line.socket.close();
    return answer;
  }

  private static final class Line {

    private final Socket socket;
    private final BufferedReader in;

    Line(Socket socket) throws IOException {
      this.socket = socket;
      socket.setTcpNoDelay(true);
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    String ask(String question) throws IOException {
      socket.getOutputStream().write((question + "\n").getBytes(StandardCharsets.US_ASCII));
      var answer = in.readLine();
      if (answer == null) throw new IOException("the ledger hung up");
      return answer;
    }
  }
}
