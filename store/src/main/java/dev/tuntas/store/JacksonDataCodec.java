package dev.tuntas.store;

import dev.tuntas.engine.DataCodec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/// A saga's data as JSON: snake_case names, times and durations in ISO-8601. What it does not know
/// it ignores, so that the data of a newer program can be read.
public final class JacksonDataCodec implements DataCodec {

  private final JsonMapper mapper =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  @Override
  public <D> String encode(D data, Class<D> type) {
    try {
      return mapper.writerFor(type).writeValueAsString(data);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "a " + type.getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public <D> D decode(String text, Class<D> type) {
    try {
      return mapper.readerFor(type).readValue(text);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "the stored text is not a " + type.getName() + ": " + e.getOriginalMessage(), e);
    }
  }
}
