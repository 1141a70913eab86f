package dev.tuntas.bench;

import dev.tuntas.bench.cluster.WorkersBench;
import dev.tuntas.bench.http.HttpBench;
import dev.tuntas.bench.http.RidesBench;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What can be measured.
@Command(
    name = "bench",
    header = "Measures Tuntas, side by side with other ways to do the same work.",
    mixinStandardHelpOptions = true,
    subcommands = {EngineBench.class, HttpBench.class, RidesBench.class, WorkersBench.class})
final class BenchCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to measure: bench engine, bench http, bench rides, or bench workers");
  }
}
