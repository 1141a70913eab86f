package dev.tuntas.server.services;

import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.settings.Settings.Role;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/// Whether a service runs in this process: it has the role, and no URL says that it is elsewhere.
abstract class ServiceHere implements Condition {

  abstract boolean isHere(Settings settings);

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    var beans = context.getBeanFactory();
    if (beans != null && beans.getSingleton("settings") instanceof Settings settings) {
      return isHere(settings);
    }
    throw new IllegalStateException("the settings are read first");
  }

  static final class Inventory extends ServiceHere {
    @Override
    boolean isHere(Settings settings) {
      return settings.roles().contains(Role.INVENTORY)
          && settings.partners().inventory().url() == null;
    }
  }

  static final class Payment extends ServiceHere {
    @Override
    boolean isHere(Settings settings) {
      return settings.roles().contains(Role.PAYMENT) && settings.partners().payment().url() == null;
    }
  }

  static final class Cart extends ServiceHere {
    @Override
    boolean isHere(Settings settings) {
      return settings.roles().contains(Role.CART) && settings.partners().cart().url() == null;
    }
  }

  static final class Simulator extends ServiceHere {
    @Override
    boolean isHere(Settings settings) {
      return settings.roles().contains(Role.SIMULATOR);
    }
  }
}
