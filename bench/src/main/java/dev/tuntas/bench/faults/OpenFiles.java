package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The server may open no more files and connections than it has open already.
final class OpenFiles implements Fault {

  /// Who connects meanwhile, and cannot be let in.
  private static final int STRANGERS = 30;

  private final List<Socket> strangers = new ArrayList<>();
  private @Nullable String usual;

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
    return Duration.ofSeconds(15);
  }

  @Override
  public @Nullable String missing(StoreKind store) {
    return Limit.missing();
  }

  @Override
  public void inject(Rig rig) throws IOException, InterruptedException {
    usual = Limit.openFilesMax(rig.server());
    Limit.OPEN_FILES.set(rig.server(), Long.toString(Limit.openFiles(rig.server())));
    var address = rig.address().orElseThrow();
    for (int i = 0; i < STRANGERS; i++) {
      strangers.add(new Socket(address.getHost(), address.getPort()));
    }
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    for (var stranger : strangers) stranger.close();
    if (usual != null) Limit.OPEN_FILES.set(rig.server(), usual);
  }
}
