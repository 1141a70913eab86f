package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The server may open no file and no connection, because it has more than it may have. Strangers
/// connect all the time and take whatever becomes free; on PostgreSQL the server's connections are
/// ended, so that it needs others.
final class OpenFiles implements Fault {

  /// So many must be closed before one may be opened.
  private static final int TOO_MANY = 5;

  private static final int STRANGERS = 40;
  private static final Duration EVERY = Duration.ofMillis(500);
  private static final byte[] QUESTION =
      "GET /actuator/health/readiness HTTP/1.1\r\nHost: stranger\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private final List<Socket> strangers = new ArrayList<>();
  private @Nullable String usual;
  private @Nullable Again coming;

  @Override
  public String name() {
    return "open-files";
  }

  @Override
  public String what() {
    return "the server may open no more files and connections";
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public @Nullable String missing(StoreKind store) {
    return Limit.missing();
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException, SQLException {
    usual = Limit.openFilesMax(rig.server());
    long most = Limit.openFiles(rig.server()) - TOO_MANY;
    Limit.OPEN_FILES.set(rig.server(), Long.toString(most));
    var address = rig.address().orElseThrow();
    coming = Again.start(EVERY, () -> comeAnew(address));
    if (rig.store() == StoreKind.POSTGRES) Sql.run(rig.database(), SessionsEnded.END_ALL);
  }

  /// Each of them stays until the next one comes.
  private void comeAnew(URI server) throws IOException {
    for (int i = 0; i < STRANGERS; i++) {
      if (strangers.size() == STRANGERS) strangers.removeFirst().close();
      var stranger = new Socket(server.getHost(), server.getPort());
      strangers.add(stranger);
      stranger.getOutputStream().write(QUESTION);
    }
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    if (usual != null) Limit.OPEN_FILES.set(rig.server(), usual);
    if (coming != null) coming.stop();
    for (var stranger : strangers) stranger.close();
  }
}
