package dev.tuntas.engine;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.tuntas");

  /// What would make two runs with the same seed differ. `System.nanoTime()` only measures, so it
  /// is not among them, and neither are forms that take a clock or a seed.
  private static final Set<String> TIME_AND_CHANCE =
      Set.of(
          "java.lang.Math.random()",
          "java.lang.System.currentTimeMillis()",
          "java.time.Instant.now()",
          "java.util.Random.<init>()",
          "java.util.SplittableRandom.<init>()",
          "java.util.UUID.randomUUID()");

  @Test
  void engineNeedsNothingButJavaAndTwoSmallApis() {
    check(
        classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "dev.tuntas.saga..",
                "dev.tuntas.engine..",
                "org.jspecify..",
                "org.slf4j.."));
  }

  @Test
  void sagaDoesNotKnowTheEngine() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.tuntas.saga..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.tuntas.engine.."));
  }

  @Test
  void timeAndChanceComeFromOutside() {
    check(
        noClasses()
            .should()
            .accessTargetWhere(describe("it reads time or chance", ArchitectureTest::isAmbient))
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(ThreadLocalRandom.class));
  }

  private static boolean isAmbient(JavaAccess<?> access) {
    return TIME_AND_CHANCE.contains(access.getTarget().getFullName());
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(MAIN);
  }
}
