package dev.tuntas.testkit.threads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;

/// Loads our classes anew, rewritten, all but those of this package.
final class ControlledLoader extends ClassLoader {

  private static final String OURS = "dev.tuntas.";
  private static final String ENGINE = "dev.tuntas.engine.";
  private static final String CONTROL = ControlledLoader.class.getPackageName();

  private final ClassLoader given;
  private final Replacements replacements;
  private final Map<String, ClassModel> models = new HashMap<>();

  ControlledLoader(ClassLoader given, Replacements replacements) {
    super("controlled", given);
    this.given = given;
    this.replacements = replacements;
  }

  /// The class, and all that it can reach, ready for use: a class that is made ready in the middle
  /// of a run would be so with a lock of the JDK held.
  Class<?> ready(String name) {
    var seen = new HashSet<String>();
    var next = new ArrayDeque<String>();
    seen.add(name);
    next.add(name);
    try {
      while (!next.isEmpty()) {
        var each = next.remove();
        if (!isReady(each, isNamed(name, each))) continue;
        for (var entry : model(each).orElseThrow().constantPool()) {
          if (!(entry instanceof ClassEntry type)) continue;
          var other = type.asInternalName().replace('/', '.');
          if (isRewritten(other) && seen.add(other) && model(other).isPresent()) next.add(other);
        }
      }
      return Class.forName(name, false, this);
    } catch (ClassNotFoundException missing) {
      throw new IllegalStateException(missing);
    }
  }

  /// Whether it may be used in a run. What the scenario does not name itself, and the engine does
  /// not have, may be left alone: it is refused if somebody uses it after all.
  private boolean isReady(String name, boolean isNamed) throws ClassNotFoundException {
    try {
      Class.forName(name, true, this);
      return true;
    } catch (UnsupportedOperationException refused) {
      if (isNamed) throw refused;
      return false;
    }
  }

  private boolean isNamed(String scenario, String name) {
    if (name.startsWith(ENGINE) || name.startsWith(scenario)) return true;
    for (var entry : model(scenario).orElseThrow().constantPool()) {
      if (entry instanceof ClassEntry type
          && type.asInternalName().replace('/', '.').equals(name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRewritten(String name) {
    return name.startsWith(OURS) && !packageOf(name).equals(CONTROL);
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isRewritten(name)) return super.loadClass(name, resolve);
    synchronized (getClassLoadingLock(name)) {
      var known = findLoadedClass(name);
      if (known != null) return known;
      var model = model(name).orElseThrow(() -> new ClassNotFoundException(name));
      var bytes =
          new Rewriting(replacements, given, this::isVolatile, this::isFinal).rewrite(model);
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  Optional<ClassModel> model(String name) {
    var known = models.get(name);
    if (known != null) return Optional.of(known);
    try (var in = given.getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) return Optional.empty();
      var model = ClassFile.of().parse(in.readAllBytes());
      models.put(name, model);
      return Optional.of(model);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isVolatile(ClassDesc owner, String field) {
    return has(owner, field, AccessFlag.VOLATILE);
  }

  /// Fields of others are constants, or not ours to watch.
  private boolean isFinal(ClassDesc owner, String field) {
    var name = Replacements.internal(owner).replace('/', '.');
    return !isRewritten(name) || has(owner, field, AccessFlag.FINAL);
  }

  private boolean has(ClassDesc owner, String field, AccessFlag flag) {
    var model = model(Replacements.internal(owner).replace('/', '.'));
    return model.isPresent()
        && model.get().fields().stream()
            .filter(it -> it.fieldName().equalsString(field))
            .anyMatch(it -> it.flags().has(flag));
  }
}
