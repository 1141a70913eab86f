package dev.tuntas.server.settings;

import dev.tuntas.server.settings.Settings.Role;
import java.util.function.Predicate;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/// What this process does, by its roles: for beans that only some processes have.
public abstract sealed class Here implements Condition {

  private final Predicate<Settings> isHere;

  private Here(Predicate<Settings> isHere) {
    this.isHere = isHere;
  }

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    var beans = context.getBeanFactory();
    if (beans != null && beans.getSingleton("settings") instanceof Settings settings) {
      return isHere.test(settings);
    }
    throw new IllegalStateException("the settings are read first");
  }

  /// Orders are accepted or run here.
  public static final class Orders extends Here {
    Orders() {
      super(Settings::hasOrders);
    }
  }

  /// Clients and people are answered here.
  public static final class Web extends Here {
    Web() {
      super(it -> it.is(Role.WEB));
    }
  }

  /// Orders are accepted here and run elsewhere.
  public static final class Front extends Here {
    Front() {
      super(it -> it.is(Role.WEB) && !it.is(Role.WORKER));
    }
  }

  /// Orders are run here, and what has to be done now and then.
  public static final class Worker extends Here {
    Worker() {
      super(it -> it.is(Role.WORKER));
    }
  }

  public static final class Inventory extends Here {
    Inventory() {
      super(it -> it.is(Role.INVENTORY) && it.partners().inventory().url() == null);
    }
  }

  public static final class Payment extends Here {
    Payment() {
      super(it -> it.is(Role.PAYMENT) && it.partners().payment().url() == null);
    }
  }

  public static final class Cart extends Here {
    Cart() {
      super(it -> it.is(Role.CART) && it.partners().cart().url() == null);
    }
  }

  public static final class Simulator extends Here {
    Simulator() {
      super(it -> it.is(Role.SIMULATOR));
    }
  }

  /// Redis is known here.
  public static final class Redis extends Here {
    Redis() {
      super(it -> it.redis().url() != null);
    }
  }

  public static final class NoRedis extends Here {
    NoRedis() {
      super(it -> it.redis().url() == null);
    }
  }

  /// The simulated dispatch partner. In a database that is shared there is one of it: others name
  /// its address.
  public static final class DispatchSimulator extends Here {
    DispatchSimulator() {
      super(it -> it.is(Role.SIMULATOR) && (it.embedded() || it.partners().bbd().url() == null));
    }
  }
}
