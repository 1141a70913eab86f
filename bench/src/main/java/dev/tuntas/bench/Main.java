package dev.tuntas.bench;

import dev.tuntas.bench.chaos.ChaosCommand;
import dev.tuntas.bench.cluster.ClusterCommand;
import dev.tuntas.bench.faults.FaultsCommand;
import dev.tuntas.bench.scenario.ScenarioCommand;
import dev.tuntas.bench.verify.VerifyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command line behind `./tuntas`.
@Command(
    name = "tuntas",
    description = "A durable saga engine.",
    mixinStandardHelpOptions = true,
    resourceBundle = "dev.tuntas.bench.Main",
    subcommands = {
      SimulateCommand.class,
      BenchCommand.class,
      ClusterCommand.class,
      ChaosCommand.class,
      FaultsCommand.class,
      ScenarioCommand.class,
      VerifyCommand.class
    },
    version = "tuntas ${bundle:build}")
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  public static void main(String[] args) {
    var commands = new CommandLine(new Main());
    commands.setParameterExceptionHandler(Main::refuse);
    System.exit(commands.execute(args));
  }

  private static int refuse(ParameterException wrong, String[] args) {
    var command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    var err = wrong.getCommandLine().getErr();
    err.println(command + ": " + wrong.getMessage());
    err.println("./" + command + " --help shows what is possible.");
    return CommandLine.ExitCode.USAGE;
  }
}
