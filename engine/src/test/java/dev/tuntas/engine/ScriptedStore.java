package dev.tuntas.engine;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/// A store of which a test writes only the methods it needs: public methods of `part` with the same
/// name and parameters answer, everything else fails the test.
final class ScriptedStore {

  private ScriptedStore() {}

  static SagaStore of(Object part) {
    InvocationHandler handler =
        (_, method, arguments) -> {
          try {
            var answer = part.getClass().getMethod(method.getName(), method.getParameterTypes());
            return answer.invoke(part, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          } catch (NoSuchMethodException unexpected) {
            throw new AssertionError("nobody expected a call of " + method, unexpected);
          }
        };
    var loader = SagaStore.class.getClassLoader();
    return (SagaStore) Proxy.newProxyInstance(loader, new Class<?>[] {SagaStore.class}, handler);
  }
}
