package dev.tuntas.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What all commands that measure share: where they do it, and how they end.
public final class Measuring {

  /// What is measured. It gives the exit code.
  @FunctionalInterface
  public interface Work {
    int run() throws IOException, SQLException, InterruptedException;
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A folder on the disk to measure. Files are made in a new folder inside it, which is"
              + " deleted afterwards. Default: the system's folder for temporary files.")
  private @Nullable Path data;

  public @Nullable Path data() {
    return data;
  }

  public PrintWriter out() {
    return command.commandLine().getOut();
  }

  /// Does the work. What goes wrong is told in a sentence.
  public int run(Work work) {
    if (data != null && !Files.isDirectory(data)) {
      throw wrong("--data: there is no folder " + data);
    }
    try {
      return work.run();
    } catch (BenchException e) {
      return fail(e.getMessage());
    } catch (IOException | SQLException e) {
      return fail(e.toString());
    } catch (InterruptedException _) {
      return fail("interrupted");
    }
  }

  private int fail(@Nullable String why) {
    command.commandLine().getErr().println(command.qualifiedName() + ": " + why);
    return 1;
  }

  /// Refuses an option's value that is not from `least` to `most`.
  public void between(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw wrong(option + " must be between " + least + " and " + most + ", not " + value);
    }
  }

  public ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
