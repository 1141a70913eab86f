package dev.tuntas.adapters.notify;

import dev.tuntas.notify.Channel;
import java.util.Map;

/// Tells the support team by an incoming webhook of Slack.
public final class SlackChannel implements Channel {

  public static final String DEFAULT_CHANNEL = "#supporting-reservation-alerts";

  private final String url;
  private final String channel;
  private final OutgoingPost post;

  public SlackChannel(String url, String channel, OutgoingPost post) {
    this.url = url;
    this.channel = channel;
    this.post = post;
  }

  @Override
  public String name() {
    return "slack";
  }

  @Override
  public Audience audience() {
    return Audience.SUPPORT;
  }

  @Override
  public Receipt send(Parcel parcel) {
    var body = SlackMessage.of(Letters.alerts(parcel), channel);
    return post.send(url, Map.of(), body, parcel.at());
  }
}
