package dev.tuntas.server.bus;

import dev.tuntas.server.settings.InventorySettings.DrivenBy;
import dev.tuntas.server.settings.Settings;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/// Whether there is a bus at all.
class BrokerConfigured implements Condition {

  boolean fits(Settings settings) {
    return settings.hasBroker();
  }

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    var beans = context.getBeanFactory();
    if (beans != null && beans.getSingleton("settings") instanceof Settings settings) {
      return fits(settings);
    }
    throw new IllegalStateException("the settings are read first");
  }

  /// Whether it also drives the inventory.
  static final class DrivesInventory extends BrokerConfigured {
    @Override
    boolean fits(Settings settings) {
      return settings.inventory().drivenBy() == DrivenBy.MESSAGES;
    }
  }
}
