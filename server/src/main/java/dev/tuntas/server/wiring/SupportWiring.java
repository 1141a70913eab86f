package dev.tuntas.server.wiring;

import dev.tuntas.adapters.notify.CustomerMailChannel;
import dev.tuntas.adapters.notify.CustomerWebhookChannel;
import dev.tuntas.adapters.notify.OutgoingPost;
import dev.tuntas.adapters.notify.OutgoingUrls;
import dev.tuntas.adapters.notify.SlackChannel;
import dev.tuntas.adapters.notify.Smtp;
import dev.tuntas.adapters.notify.SmtpSettings;
import dev.tuntas.adapters.notify.SupportMailChannel;
import dev.tuntas.adapters.notify.WebhookSignature;
import dev.tuntas.audit.Audit;
import dev.tuntas.engine.Engine;
import dev.tuntas.notify.Channel;
import dev.tuntas.notify.Contacts;
import dev.tuntas.notify.Courier;
import dev.tuntas.notify.CourierLoop;
import dev.tuntas.notify.CourierSettings;
import dev.tuntas.notify.Postbox;
import dev.tuntas.orders.OrderBook;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.server.orders.Links;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.settings.SettingsException;
import dev.tuntas.server.support.DeadLetters;
import dev.tuntas.server.support.DeskRounds;
import dev.tuntas.server.support.OrderBills;
import dev.tuntas.server.support.RequestAudit;
import dev.tuntas.server.support.RideMoney;
import dev.tuntas.server.support.SagaDecisions;
import dev.tuntas.server.support.SupportMeters;
import dev.tuntas.store.Stores;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import dev.tuntas.support.AuditTrail;
import dev.tuntas.support.AutomaticRefunds;
import dev.tuntas.support.Bills;
import dev.tuntas.support.Decisions;
import dev.tuntas.support.MoneyNews;
import dev.tuntas.support.RefundPolicy;
import dev.tuntas.support.RefundTask;
import dev.tuntas.support.Refunds;
import dev.tuntas.support.StuckOrders;
import dev.tuntas.support.SupportDesk;
import dev.tuntas.support.TicketWork;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// The support desk and the ways by which people hear of orders.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Orders.class)
class SupportWiring {

  private static final Duration COURIER_RESTS = Duration.ofMillis(500);
  private static final Duration ROUNDS_EVERY = Duration.ofSeconds(2);
  private static final Duration SMTP_TIMEOUT = Duration.ofSeconds(10);

  @Bean
  Tables supportTables(Stores stores) {
    return stores.tables(TableSet.of("support"));
  }

  @Bean
  Contacts contacts(OrderBook book, Tables orderTables, OrderReader orders, Links links) {
    return orderId -> {
      var known = orderTables.read("look up a contact", session -> book.contact(session, orderId));
      return known.map(
          contact ->
              new Contacts.Contact(
                  contact.email(),
                  contact.phone(),
                  contact.locale(),
                  orders
                      .find(orderId)
                      .map(view -> links.page(orderId, view.order().origin().pageToken()))
                      // Without a public address it would lead nowhere.
                      .filter(link -> link.startsWith("http"))
                      .orElse(null)));
    };
  }

  /// Nothing is sent where nobody said where to.
  @Bean
  Channels channels(Settings settings, Contacts contacts) {
    var channels = new ArrayList<Channel>();
    var urls = OutgoingUrls.of(settings.outgoing().allowLocal());
    var post = OutgoingPost.to(urls);
    var slack = settings.slack();
    if (slack.webhookUrl() != null) {
      require(urls, "slack.webhook-url", slack.webhookUrl());
      channels.add(new SlackChannel(slack.webhookUrl().toString(), slack.channel(), post));
    }
    var mail = settings.smtp();
    if (mail.host() != null) {
      var security = mail.starttls() ? SmtpSettings.Security.STARTTLS : SmtpSettings.Security.NONE;
      var smtp =
          new Smtp(
              new SmtpSettings(
                  mail.host(),
                  mail.port(),
                  security,
                  mail.user(),
                  mail.password(),
                  mail.from(),
                  SMTP_TIMEOUT));
      channels.add(new SupportMailChannel(smtp, mail.alertsTo()));
      channels.add(new CustomerMailChannel(smtp, contacts));
    }
    var webhook = settings.customerWebhook();
    if (webhook.url() != null && webhook.secret() != null) {
      require(urls, "customer-webhook.url", webhook.url());
      channels.add(
          new CustomerWebhookChannel(
              webhook.url().toString(), new WebhookSignature(webhook.secret()), post, contacts));
    }
    return new Channels(channels);
  }

  private static void require(OutgoingUrls urls, String key, URI url) {
    urls.objection(url.toString())
        .ifPresent(
            why -> {
              throw new SettingsException(key + " may not be used: " + why);
            });
  }

  /// The channels that are configured.
  record Channels(List<Channel> all) {}

  @Bean
  Postbox postbox(Channels channels) {
    return new Postbox(channels.all());
  }

  @Bean
  @Conditional(Here.Worker.class)
  CourierLoop courierLoop(Tables supportTables, Channels channels, InstantSource clock) {
    var couriers =
        channels.all().stream()
            .map(
                channel ->
                    new Courier(
                        supportTables,
                        channel,
                        CourierSettings.defaults(),
                        clock,
                        InstantSource.system(),
                        RandomGenerator.getDefault()))
            .toList();
    return new CourierLoop(couriers, COURIER_RESTS);
  }

  @Bean
  Bills bills(OrderReader orders) {
    return new OrderBills(orders);
  }

  @Bean
  MoneyNews moneyNews(Stores stores, InstantSource clock) {
    return new RideMoney(stores, clock);
  }

  @Bean
  SupportDesk supportDesk(
      Tables supportTables,
      Postbox postbox,
      Bills bills,
      Decisions decisions,
      MoneyNews news,
      Settings settings) {
    return new SupportDesk(
        supportTables, postbox, bills, decisions, news, settings.ride().refund());
  }

  @Bean
  StuckOrders stuckOrders(
      Tables supportTables,
      OrderBook book,
      SupportDesk desk,
      Channels channels,
      InstantSource clock) {
    return new StuckOrders(supportTables, book, desk, channels.all(), clock);
  }

  @Bean
  SagaDecisions decisions(Stores stores, InstantSource clock) {
    return new SagaDecisions(stores, clock);
  }

  @Bean
  AuditTrail auditTrail(Audit audit) {
    return new RequestAudit(audit);
  }

  @Bean
  TicketWork ticketWork(
      Tables supportTables,
      Decisions decisions,
      Bills bills,
      AuditTrail audit,
      InstantSource clock) {
    return new TicketWork(supportTables, decisions, bills, audit, clock);
  }

  @Bean
  Refunds refunds(
      Tables supportTables,
      Bills bills,
      AuditTrail audit,
      MoneyNews news,
      Engine engine,
      SagaDefinition<RefundTask> refundSaga,
      InstantSource clock) {
    return new Refunds(
        supportTables, bills, audit, news, (id, task) -> engine.start(refundSaga, id, task), clock);
  }

  @Bean
  @Conditional(Here.Worker.class)
  DeskRounds deskRounds(
      Tables supportTables,
      SupportDesk desk,
      StuckOrders stuck,
      Refunds refunds,
      InstantSource clock,
      Settings settings) {
    var automatic =
        settings.ride().refund() == RefundPolicy.AUTOMATIC
            ? new AutomaticRefunds(supportTables, refunds, desk)
            : null;
    return new DeskRounds(desk, stuck, refunds, automatic, clock, ROUNDS_EVERY);
  }

  @Bean
  DeadLetters deadLetters(
      Tables supportTables,
      Stores stores,
      @Qualifier("busTables") ObjectProvider<Tables> busTables,
      SagaDecisions decisions,
      Audit audit,
      InstantSource clock) {
    return DeadLetters.of(
        supportTables, stores.outbox(), busTables.getIfAvailable(), decisions, audit, clock);
  }

  @Bean
  MeterBinder supportMeters(Tables supportTables, DeadLetters letters) {
    return new SupportMeters(supportTables, letters);
  }
}
