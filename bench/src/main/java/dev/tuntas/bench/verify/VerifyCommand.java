package dev.tuntas.bench.verify;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.engine.StoreException;
import dev.tuntas.store.PostgresSettings;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./tuntas verify`.
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Recomputes from the tables what must always be true.",
    description = {
      "",
      "Money and stock are compared with the ledgers of the simulated bank and warehouse, order by"
          + " order; tickets, the outbox and the audit log are checked too. Nothing is changed and"
          + " nothing is locked: the server may be running, or not. What holds only at rest is not"
          + " asked of orders in motion.",
      "",
      "One line for each invariant; the last line on standard output is JSON. The exit code is 0 if"
          + " nothing is violated.",
      ""
    })
public final class VerifyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The server's data folder. Default: ./data.")
  private @Nullable Path data;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The PostgreSQL database instead: jdbc:postgresql://host/database.")
  private @Nullable String url;

  @Option(names = "--user", paramLabel = "U", description = "Who reads the database.")
  private @Nullable String user;

  @Option(
      names = "--password-env",
      paramLabel = "VAR",
      description = "The environment variable that holds the password.")
  private @Nullable String passwordVariable;

  @Override
  public Integer call() {
    check();
    try (var archive = open();
        var progress = Progress.onTerminal()) {
      var report = new Verifier(archive, progress).run();
      progress.close();
      var out = spec.commandLine().getOut();
      report.print(out);
      out.println(report.json());
      out.flush();
      return report.violations() == 0 ? 0 : 1;
    } catch (BenchException | StoreException e) {
      spec.commandLine().getErr().println("tuntas verify: " + e.getMessage());
      return 1;
    }
  }

  private void check() {
    if (url != null && data != null) throw wrong("--data and --url are two places: choose one");
    if (url == null && (user != null || passwordVariable != null)) {
      throw wrong("--user and --password-env are for --url");
    }
    if (url != null && !url.startsWith("jdbc:postgresql:")) {
      throw wrong("--url must begin with jdbc:postgresql:");
    }
    if (passwordVariable != null && System.getenv(passwordVariable) == null) {
      throw wrong("there is no variable " + passwordVariable + " in the environment");
    }
  }

  private Archive open() {
    if (url == null) return Archive.in(data == null ? Path.of("data") : data);
    var password = passwordVariable == null ? null : System.getenv(passwordVariable);
    return Archive.at(PostgresSettings.of(url, user, password));
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
