package dev.tuntas.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The command line behind `./tuntas`.
@Command(
    name = "tuntas",
    description = "A durable saga engine.",
    mixinStandardHelpOptions = true,
    resourceBundle = "dev.tuntas.bench.Main",
    version = "tuntas ${bundle:build}")
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
