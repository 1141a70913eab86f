package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The server may open no more files and connections than it has open already.
final class OpenFiles implements Fault {

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
  }

  @Override
  public void heal(Rig rig) throws IOException, InterruptedException {
    if (usual != null) Limit.OPEN_FILES.set(rig.server(), usual);
  }
}
