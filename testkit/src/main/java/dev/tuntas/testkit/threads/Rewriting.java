package dev.tuntas.testkit.threads;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// Rewrites one class so that a [Scheduler] decides who goes on: what waits, what tells the time
/// and what others may notice is called on [Controlled]. A class that uses something whose manners
/// are not known here is refused.
final class Rewriting {

  /// What the body of a synchronized method is called.
  static final String BODY = "$body";

  private static final String NUMBER = "$number";
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);
  private static final MethodTypeDesc ONE_OBJECT = MethodTypeDesc.of(CD_void, CD_Object);
  private static final MethodTypeDesc A_NUMBER = MethodTypeDesc.of(CD_int);

  private final Replacements replacements;
  private final ClassFile files;
  private final BiPredicate<ClassDesc, String> isVolatile;
  private final BiPredicate<ClassDesc, String> isFinal;
  private final Set<String> refused = new TreeSet<>();

  Rewriting(
      Replacements replacements,
      ClassLoader resources,
      BiPredicate<ClassDesc, String> isVolatile,
      BiPredicate<ClassDesc, String> isFinal) {
    this.replacements = replacements;
    this.isVolatile = isVolatile;
    this.isFinal = isFinal;
    this.files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(resources)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  byte[] rewrite(ClassModel type) {
    refused.clear();
    type.superclass()
        .map(it -> it.asInternalName())
        .filter(Replacements::isNotToBeExtended)
        .ifPresent(it -> refused.add("extends " + it.replace('/', '.')));
    var own = type.thisClass().asSymbol();
    var rewritten =
        files.transformClass(
            type,
            ClassTransform.ofStateful(
                () ->
                    new ClassTransform() {
                      @Override
                      public void accept(ClassBuilder to, ClassElement element) {
                        if (element instanceof MethodModel method) rewrite(type, to, method);
                        else to.with(element);
                      }

                      @Override
                      public void atEnd(ClassBuilder to) {
                        if (hasNoHash(type)) addHash(own, to);
                      }
                    }));
    if (!refused.isEmpty()) {
      throw new UnsupportedOperationException(
          type.thisClass().asInternalName().replace('/', '.')
              + " uses what is not controlled: "
              + String.join(", ", refused)
              + ". Add it to Replacements, or do without it.");
    }
    return rewritten;
  }

  // Methods

  private void rewrite(ClassModel type, ClassBuilder to, MethodModel method) {
    var code = code(type, method);
    if (!method.flags().has(AccessFlag.SYNCHRONIZED)) {
      with(to, method, method.methodName().stringValue(), method.flags().flagsMask(), code);
      return;
    }
    int flags = method.flags().flagsMask() & ~ClassFile.ACC_SYNCHRONIZED;
    var name = method.methodName().stringValue();
    if (replacements.isUnlocked(type, name)) {
      with(to, method, name, flags, code);
      return;
    }
    int visibility = ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED | ClassFile.ACC_FINAL;
    with(to, method, name + BODY, flags & ~visibility | ClassFile.ACC_PRIVATE, code);
    to.withMethodBody(
        name, method.methodTypeSymbol(), flags, body -> callLocked(type, method, body));
  }

  private static void with(
      ClassBuilder to, MethodModel method, String name, int flags, CodeTransform code) {
    to.withMethod(
        name,
        method.methodTypeSymbol(),
        flags,
        copy -> {
          for (var element : method) {
            if (element instanceof CodeModel body) copy.transformCode(body, code);
            else if (!(element instanceof AccessFlags)) copy.with(element);
          }
        });
  }

  private static void callLocked(ClassModel type, MethodModel method, CodeBuilder body) {
    var own = type.thisClass().asSymbol();
    boolean isStatic = method.flags().has(AccessFlag.STATIC);
    var signature = method.methodTypeSymbol();
    pushLock(body, own, isStatic);
    body.invokestatic(Replacements.CONTROLLED, "enter", ONE_OBJECT);
    body.trying(
        locked -> {
          int slot = 0;
          if (!isStatic) locked.aload(slot++);
          for (var parameter : signature.parameterList()) {
            var kind = TypeKind.from(parameter);
            locked.loadLocal(kind, slot);
            slot += kind.slotSize();
          }
          var name = method.methodName().stringValue() + BODY;
          if (isStatic) locked.invokestatic(own, name, signature);
          else locked.invokespecial(own, name, signature);
          pushLock(locked, own, isStatic);
          locked.invokestatic(Replacements.CONTROLLED, "exit", ONE_OBJECT);
          locked.return_(TypeKind.from(signature.returnType()));
        },
        catches ->
            catches.catchingAll(
                failed -> {
                  int slot = failed.allocateLocal(TypeKind.REFERENCE);
                  failed.astore(slot);
                  pushLock(failed, own, isStatic);
                  failed.invokestatic(Replacements.CONTROLLED, "exit", ONE_OBJECT);
                  failed.aload(slot);
                  failed.athrow();
                }));
  }

  private static void pushLock(CodeBuilder body, ClassDesc own, boolean isStatic) {
    if (isStatic) body.loadConstant(own);
    else body.aload(0);
  }

  // Instructions

  private CodeTransform code(ClassModel type, MethodModel method) {
    boolean unlocked = replacements.isUnlocked(type, method.methodName().stringValue());
    boolean plants = replacements.isPlanted(type);
    return (to, element) -> {
      switch (element) {
        case MonitorInstruction monitor -> monitor(to, monitor, unlocked);
        case FieldInstruction field -> field(to, field);
        case NewObjectInstruction made -> {
          var other = Replacements.classFor(made.className().asInternalName());
          refuse(made.className().asInternalName(), "<init>", NOTHING, other != null);
          if (other == null) to.with(element);
          else to.new_(other);
        }
        case InvokeInstruction call -> invoke(to, call, plants);
        case InvokeDynamicInstruction lambda -> lambda(to, lambda, plants);
        default -> to.with(element);
      }
    };
  }

  private static void monitor(CodeBuilder to, MonitorInstruction monitor, boolean unlocked) {
    if (unlocked) {
      to.pop();
      return;
    }
    var name = monitor.opcode() == Opcode.MONITORENTER ? "enter" : "exit";
    to.invokestatic(Replacements.CONTROLLED, name, ONE_OBJECT);
  }

  private void field(CodeBuilder to, FieldInstruction field) {
    var owner = field.owner().asSymbol();
    var name = field.name().stringValue();
    if (!isFinal.test(owner, name)) {
      var point = isVolatile.test(owner, name) ? "point" : "plainPoint";
      to.invokestatic(Replacements.CONTROLLED, point, NOTHING);
    }
    to.with(field);
  }

  private void invoke(CodeBuilder to, InvokeInstruction call, boolean plants) {
    var owner = call.owner().asInternalName();
    var name = call.name().stringValue();
    var type = call.typeSymbol();
    boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
    if (name.equals("<init>")) {
      var other = Replacements.classFor(owner);
      if (other == null) to.with(call);
      else to.invokespecial(other, name, type);
      return;
    }
    if (Replacements.isBuilder(owner)) {
      to.invokevirtual(
          ControlledThreads.class.describeConstable().orElseThrow(),
          name,
          Replacements.withoutBuilders(type));
      return;
    }
    var instead = target(owner, name, type, isStatic, plants);
    refuse(owner, name, type, instead != null);
    if (instead != null) {
      to.invokestatic(instead.owner(), instead.name(), instead.type());
      return;
    }
    if (Replacements.isShared(owner)) {
      to.invokestatic(Replacements.CONTROLLED, "point", NOTHING);
    } else if (Replacements.isCollection(owner)) {
      to.invokestatic(Replacements.CONTROLLED, "plainPoint", NOTHING);
    }
    to.with(call);
  }

  private Replacements.@Nullable Target target(
      String owner, String name, MethodTypeDesc type, boolean isStatic, boolean plants) {
    var planted = plants || isStatic ? null : replacements.planted(owner, name, type);
    return planted != null ? planted : Replacements.instead(owner, name, type, isStatic);
  }

  private void refuse(String owner, String name, MethodTypeDesc type, boolean isReplaced) {
    if (isReplaced) return;
    var refusal = replacements.refusal(owner, name, type);
    if (refusal != null) refused.add(refusal);
  }

  private void lambda(CodeBuilder to, InvokeDynamicInstruction lambda, boolean plants) {
    var arguments = lambda.bootstrapArgs().stream().map(it -> argument(it, plants)).toList();
    to.invokedynamic(
        DynamicCallSiteDesc.of(
            lambda.bootstrapMethod(),
            lambda.name().stringValue(),
            lambda.typeSymbol(),
            arguments.toArray(ConstantDesc[]::new)));
  }

  /// A reference to a method is a call of it.
  private ConstantDesc argument(ConstantDesc argument, boolean plants) {
    if (!(argument instanceof DirectMethodHandleDesc method) || !isCall(method.kind())) {
      return argument;
    }
    var owner = Replacements.internal(method.owner());
    var type = MethodTypeDesc.ofDescriptor(method.lookupDescriptor());
    if (method.kind() == Kind.CONSTRUCTOR) {
      var other = Replacements.classFor(owner);
      refuse(owner, "<init>", type, other != null);
      return other == null
          ? argument
          : MethodHandleDesc.ofConstructor(other, type.parameterList().toArray(ClassDesc[]::new));
    }
    boolean isStatic = method.kind() == Kind.STATIC || method.kind() == Kind.INTERFACE_STATIC;
    var instead = target(owner, method.methodName(), type, isStatic, plants);
    refuse(owner, method.methodName(), type, instead != null);
    return instead == null
        ? argument
        : MethodHandleDesc.ofMethod(Kind.STATIC, instead.owner(), instead.name(), instead.type());
  }

  private static boolean isCall(Kind kind) {
    return switch (kind) {
      case CONSTRUCTOR, STATIC, INTERFACE_STATIC, VIRTUAL, INTERFACE_VIRTUAL -> true;
      default -> false; // a field, or a method of the class itself
    };
  }

  // Identity

  /// The JDK draws the hash of an object without one, and with it the order of sets.
  private static boolean hasNoHash(ClassModel type) {
    return !type.flags().has(AccessFlag.INTERFACE)
        && type.superclass()
            .filter(it -> it.asInternalName().equals("java/lang/Object"))
            .isPresent()
        && type.methods().stream().noneMatch(it -> it.methodName().equalsString("hashCode"));
  }

  private static void addHash(ClassDesc own, ClassBuilder to) {
    to.withField(NUMBER, CD_int, ClassFile.ACC_PRIVATE | ClassFile.ACC_TRANSIENT);
    to.withMethodBody(
        "hashCode",
        A_NUMBER,
        ClassFile.ACC_PUBLIC,
        body -> {
          body.aload(0).getfield(own, NUMBER, CD_int);
          body.ifThen(
              Opcode.IFEQ,
              none ->
                  none.aload(0)
                      .invokestatic(Replacements.CONTROLLED, "number", A_NUMBER)
                      .putfield(own, NUMBER, CD_int));
          body.aload(0).getfield(own, NUMBER, CD_int).ireturn();
        });
  }
}
