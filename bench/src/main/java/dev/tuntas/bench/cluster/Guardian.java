package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;

/// Ends what this process began when this process ends, however it ends: a shell waits at a pipe
/// that closes with us, and then ends those that are left.
public final class Guardian implements AutoCloseable {

  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      left=
      while read -r sign pid how; do
        case $sign in
          +) left="$left $pid/$how" ;;
          -)
            others=
            for one in $left; do
              [ "${one%/*}" = "$pid" ] || others="$others $one"
            done
            left=$others
            ;;
        esac
      done
      for one in $left; do
        kill -CONT "${one%/*}"
        kill -"${one#*/}" "${one%/*}"
      done 2> /dev/null
      """;

  /// What ends a process.
  public enum Signal {
    KILL,
    /// A database that is told to end at once leaves nothing of itself in memory that is shared.
    QUIT
  }

  private final Process shell;
  private final Writer pipe;
  private boolean closed;

  private Guardian(Process shell) {
    this.shell = shell;
    this.pipe = shell.outputWriter();
  }

  public static Guardian start() {
    try {
      return new Guardian(
          new ProcessBuilder("/bin/sh", "-c", SCRIPT)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException("start a shell", e);
    }
  }

  /// Watches over a process until that ends by itself. One that comes too late is ended at once.
  public synchronized void watch(ProcessHandle process, Signal signal) {
    if (closed) {
      process.destroyForcibly();
      throw new BenchException("the cluster is being stopped");
    }
    tell("+ " + process.pid() + " " + signal);
    process.onExit().thenRun(() -> tell("- " + process.pid()));
  }

  private synchronized void tell(String line) {
    if (closed) return;
    try {
      pipe.write(line + "\n");
      pipe.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("tell the guardian", e);
    }
  }

  /// Ends those that are left.
  @Override
  public synchronized void close() {
    closed = true;
    try {
      pipe.close();
      shell.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("close the guardian's pipe", e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
