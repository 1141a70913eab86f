package dev.tuntas.testkit.threads;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.stream.Stream;

/// Where threads are, in words.
final class Stories {

  private static final String OURS = "dev.tuntas.";
  private static final String CONTROL = Stories.class.getPackageName() + ".";
  private static final int FRAMES = 12;

  private Stories() {}

  /// Where the caller is, in the code under test.
  static String place() {
    return under(new Throwable().getStackTrace()).findFirst().map(Stories::line).orElse("");
  }

  static String stack(StackTraceElement[] frames) {
    return under(frames).limit(FRAMES).map(Stories::line).collect(joining(" < "));
  }

  private static Stream<StackTraceElement> under(StackTraceElement[] frames) {
    return Arrays.stream(frames)
        .filter(it -> it.getClassName().startsWith(OURS) && !isControl(it.getClassName()));
  }

  private static boolean isControl(String name) {
    return name.startsWith(CONTROL) && name.indexOf('.', CONTROL.length()) < 0;
  }

  private static String line(StackTraceElement frame) {
    var type = frame.getClassName();
    var method = frame.getMethodName().replace(Rewriting.BODY, "");
    return type.substring(type.lastIndexOf('.') + 1) + "." + method + ":" + frame.getLineNumber();
  }
}
