package dev.tuntas.testkit.threads;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.util.stream.Collectors.toUnmodifiableSet;

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What of the JDK is replaced in the code under test, what may stay, and nothing else.
final class Replacements {

  static final ClassDesc CONTROLLED = desc(Controlled.class);

  /// A method that is called in the place of another one.
  ///
  /// @param isStatic whether the other one was
  record Target(ClassDesc owner, String name, MethodTypeDesc type) {}

  private record Method(String owner, String name, String type) {}

  /// Made anew, these are objects of their own kind.
  private static final Map<String, ClassDesc> CLASSES =
      Map.of(
          "java/util/concurrent/locks/ReentrantLock", desc(ControlledLock.class),
          "java/util/concurrent/Semaphore", desc(ControlledSemaphore.class),
          "java/util/concurrent/LinkedBlockingQueue", desc(ControlledQueue.class),
          "java/util/concurrent/ThreadPoolExecutor", desc(ControlledPool.class),
          "java/util/concurrent/CompletableFuture", desc(ControlledFuture.class));

  private static final Map<String, List<String>> STATIC =
      Map.of(
          "java/lang/System", List.of("nanoTime", "currentTimeMillis"),
          "java/lang/Thread",
              List.of("sleep", "interrupted", "startVirtualThread", "ofPlatform", "ofVirtual"),
          "java/util/concurrent/locks/LockSupport", List.of("park", "parkNanos", "unpark"),
          "java/util/concurrent/Executors",
              List.of("newSingleThreadScheduledExecutor", "newFixedThreadPool"),
          "java/time/Instant", List.of("now"),
          "org/slf4j/LoggerFactory", List.of("getLogger"));

  private static final Map<String, List<String>> VIRTUAL =
      Map.of(
          "java/lang/Thread",
              List.of(
                  "start",
                  "join",
                  "interrupt",
                  "isInterrupted",
                  "isAlive",
                  "setName",
                  "getName",
                  "setContextClassLoader",
                  "getContextClassLoader"),
          "java/lang/Runtime", List.of("availableProcessors"));

  private static final Set<String> BUILDERS =
      Set.of(
          "Ljava/lang/Thread$Builder;",
          "Ljava/lang/Thread$Builder$OfPlatform;",
          "Ljava/lang/Thread$Builder$OfVirtual;");

  private static final Set<String> COMPUTING =
      Set.of("compute", "computeIfAbsent", "computeIfPresent", "merge");

  private static final Set<String> MAPS =
      Set.of(
          "java/util/Map",
          "java/util/concurrent/ConcurrentMap",
          "java/util/concurrent/ConcurrentHashMap");

  /// Of these, whatever is called waits for nothing, or is called on one of ours.
  private static final Set<String> HARMLESS =
      Set.of(
          "java/util/concurrent/TimeUnit",
          "java/util/concurrent/ConcurrentHashMap",
          "java/util/concurrent/ConcurrentMap",
          "java/util/concurrent/ConcurrentLinkedQueue",
          "java/util/concurrent/ConcurrentLinkedDeque",
          "java/util/concurrent/CopyOnWriteArrayList",
          "java/util/concurrent/Callable",
          "java/util/concurrent/Executor",
          "java/util/concurrent/ExecutorService",
          "java/util/concurrent/BlockingQueue",
          "java/util/concurrent/ThreadFactory",
          "java/util/concurrent/ScheduledExecutorService",
          "java/util/concurrent/TimeoutException",
          "java/util/concurrent/ExecutionException",
          "java/util/concurrent/CancellationException",
          "java/util/concurrent/CompletionException",
          "java/util/concurrent/RejectedExecutionException",
          "java/util/concurrent/ThreadPoolExecutor$DiscardPolicy");

  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "java/lang/Thread", Set.of("currentThread"),
          "java/util/concurrent/CompletableFuture", Set.of("completedFuture", "failedFuture"));

  /// Of whatever class.
  private static final Set<String> MONITOR =
      Set.of("wait()V", "wait(J)V", "wait(JI)V", "notify()V", "notifyAll()V");

  private static final Set<String> CLOCKS =
      Set.of("now", "system", "systemUTC", "systemDefaultZone", "tick");

  private static final Set<String> WATCHED =
      Set.of(
          "java/lang/Thread",
          "java/util/Timer",
          "java/util/TimerTask",
          "java/lang/ProcessBuilder",
          "java/lang/Process",
          "java/util/UUID",
          "java/lang/ref/Cleaner");

  private final Set<String> played = new HashSet<>();
  private final Map<Method, Target> planted = new HashMap<>();
  private final Map<String, Set<String>> unlocked = new LinkedHashMap<>();

  /// Each static method of the class stands in for the one of its first parameter that has its name
  /// and its other parameters. Called from here, that one is meant.
  void plant(ClassModel mistakes) {
    for (var method : mistakes.methods()) if (isStandIn(method)) plant(mistakes, method);
  }

  private static boolean isStandIn(MethodModel method) {
    return method.flags().has(AccessFlag.STATIC)
        && !method.flags().has(AccessFlag.PRIVATE)
        && !method.flags().has(AccessFlag.SYNTHETIC)
        && !method.methodName().equalsString("<clinit>");
  }

  private void plant(ClassModel mistakes, MethodModel method) {
    var name = method.methodName().stringValue();
    var type = method.methodTypeSymbol();
    var owner = internal(type.parameterType(0));
    planted.put(
        new Method(owner, name, type.dropParameterTypes(0, 1).descriptorString()),
        new Target(mistakes.thisClass().asSymbol(), name, type));
  }

  /// What is called there is played by the scenario.
  void play(String packageName) {
    played.add(packageName.replace('.', '/') + "/");
  }

  void unlock(String type, String... methods) {
    unlocked.put(type, Set.of(methods));
  }

  boolean isUnlocked(ClassModel type, String method) {
    var methods = unlocked.get(type.thisClass().asInternalName().replace('/', '.'));
    return methods != null && methods.contains(method);
  }

  boolean isPlanted(ClassModel type) {
    var own = type.thisClass().asSymbol();
    return planted.values().stream().anyMatch(it -> it.owner().equals(own));
  }

  /// What is made when this class is.
  static @Nullable ClassDesc classFor(String owner) {
    return CLASSES.get(owner);
  }

  @Nullable Target planted(String owner, String name, MethodTypeDesc type) {
    return planted.get(new Method(owner, name, type.descriptorString()));
  }

  /// What is called instead of a method of the JDK, or null.
  static @Nullable Target instead(
      String owner, String name, MethodTypeDesc type, boolean isStatic) {
    if (isStatic && has(STATIC, owner, name)) return to(name, withoutBuilders(type));
    if (isStatic && owner.equals("java/time/InstantSource") && name.equals("system")) {
      return to("clock", type);
    }
    if (isStatic && owner.equals("java/lang/Thread") && isGivingWay(name)) {
      return to("giveWay", type);
    }
    if (!isStatic && has(VIRTUAL, owner, name)) {
      return to(name, type.insertParameterTypes(0, ClassDesc.ofInternalName(owner)));
    }
    if (!isStatic && MAPS.contains(owner) && COMPUTING.contains(name)) {
      return to(name, type.insertParameterTypes(0, desc(Map.class)));
    }
    return null;
  }

  private static boolean isGivingWay(String name) {
    return name.equals("yield") || name.equals("onSpinWait");
  }

  private static boolean has(Map<String, List<String>> methods, String owner, String name) {
    var names = methods.get(owner);
    return names != null && names.contains(name);
  }

  private static Target to(String name, MethodTypeDesc type) {
    return new Target(CONTROLLED, name, type);
  }

  static boolean isBuilder(String owner) {
    return BUILDERS.contains("L" + owner + ";");
  }

  static MethodTypeDesc withoutBuilders(MethodTypeDesc type) {
    if (!BUILDERS.contains(type.returnType().descriptorString())) return type;
    return type.changeReturnType(desc(ControlledThreads.class));
  }

  /// Why this may not be called from the code under test: whether it waits is not known here. Null
  /// if it may.
  @Nullable String refusal(String owner, String name, MethodTypeDesc type) {
    if (ALLOWED.getOrDefault(owner, Set.of()).contains(name)) return null;
    for (var packageName : played) if (owner.startsWith(packageName)) return null;
    if (MONITOR.contains(name + type.descriptorString())) return "Object." + name;
    if (owner.startsWith("java/time/") && CLOCKS.contains(name)) return owner + "." + name;
    if (owner.equals("java/lang/Math") && name.equals("random")) return "Math.random";
    if (name.equals("parallelStream") || name.equals("parallel")) return name;
    boolean isWatched =
        WATCHED.contains(owner)
            || owner.startsWith("java/lang/Thread$")
            || owner.startsWith("java/util/concurrent/")
            || owner.startsWith("java/sql/") && !owner.endsWith("Exception")
            || owner.startsWith("java/net/")
            || owner.startsWith("java/nio/channels/")
            || owner.startsWith("java/io/");
    if (!isWatched || isHarmless(owner, name)) return null;
    return owner.replace('/', '.') + "." + name;
  }

  /// What one of our classes inherits from these would not be rewritten.
  static boolean isNotToBeExtended(String owner) {
    return owner.equals("java/lang/Thread")
        || owner.startsWith("java/util/concurrent/") && !owner.endsWith("Exception");
  }

  private static boolean isHarmless(String owner, String name) {
    return HARMLESS.contains(owner)
        || owner.startsWith("java/util/concurrent/atomic/")
        || CLASSES.containsKey(owner) && !isStaticOfFuture(owner, name);
  }

  private static boolean isStaticOfFuture(String owner, String name) {
    return owner.equals("java/util/concurrent/CompletableFuture")
        && Set.of("supplyAsync", "runAsync", "allOf", "anyOf", "delayedExecutor").contains(name);
  }

  /// Whether others may notice what is called: they may go on just before it.
  static boolean isShared(String owner) {
    return owner.startsWith("java/util/concurrent/")
        && !owner.endsWith("TimeUnit")
        && !owner.endsWith("Exception");
  }

  private static final Set<String> COLLECTIONS =
      Stream.of(
              "Collection",
              "List",
              "Set",
              "Map",
              "Queue",
              "Deque",
              "SortedMap",
              "NavigableMap",
              "SortedSet",
              "NavigableSet",
              "Iterator",
              "ArrayList",
              "ArrayDeque",
              "HashMap",
              "HashSet",
              "LinkedHashMap",
              "LinkedHashSet",
              "TreeMap",
              "TreeSet",
              "PriorityQueue",
              "BitSet")
          .collect(toUnmodifiableSet());

  static boolean isCollection(String owner) {
    return owner.startsWith("java/util/") && COLLECTIONS.contains(owner.substring(10));
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElse(CD_Object);
  }

  static String internal(ClassDesc type) {
    var descriptor = type.descriptorString();
    return descriptor.startsWith("L")
        ? descriptor.substring(1, descriptor.length() - 1)
        : descriptor;
  }
}
