package dev.tuntas.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/// What can be asked for, and how results are told.
class FaultsCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new FaultsCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void it_lists_every_fault_and_runs_none() {
    assertThat(run("--list")).isZero();

    assertThat(out.toString().lines()).hasSize(Faults.all().size());
    assertThat(Faults.all()).extracting(Fault::name).doesNotHaveDuplicates();
  }

  @Test
  void every_fault_is_documented() throws IOException {
    var page = Files.readString(Path.of("../docs/faults.md"));

    assertThat(Faults.all()).allMatch(fault -> page.contains("`" + fault.name() + "`"));
  }

  @Test
  void what_cannot_be_is_refused_with_a_sentence() {
    assertThat(run("--only", "flood")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(run("--only", "failover", "--store", "sqlite")).isEqualTo(2);
    assertThat(run("--store", "oracle")).isEqualTo(2);

    assertThat(err.toString())
        .contains(
            "there is no fault 'flood'",
            "failover cannot happen to sqlite",
            "--store must be sqlite, postgres or both, not 'oracle'");
  }

  @Test
  void skipped_faults_are_not_counted_as_passed() {
    var report =
        new FaultsReport(
            List.of(
                FaultResult.skipped(new DiskFull(), StoreKind.SQLITE, "There is no disk."),
                result(OptionalDouble.of(3.25))),
            60);

    assertThat(report.isFine()).isTrue();
    var json = JsonMapper.shared().readTree(report.json());
    assertThat(json.get("faults").asInt()).isEqualTo(1);
    assertThat(json.get("skipped").asInt()).isEqualTo(1);
    assertThat(json.get("recovery_s_max").asDouble()).isEqualTo(3.25);
  }

  @Test
  void whoever_does_not_recover_in_time_fails() {
    var late = new FaultsReport(List.of(result(OptionalDouble.of(15.5))), 60);
    var never = new FaultsReport(List.of(result(OptionalDouble.empty())), 60);

    assertThat(late.isFine()).isFalse();
    assertThat(never.isFine()).isFalse();
    assertThat(JsonMapper.shared().readTree(never.json()).get("recovery_s_max").isNull()).isTrue();
  }

  private static FaultResult result(OptionalDouble recovery) {
    return new FaultResult(
        new DiskFull(),
        StoreKind.SQLITE,
        null,
        Sightings.none(),
        recovery,
        0,
        0,
        FaultResult.Books.NONE,
        0,
        List.of());
  }
}
