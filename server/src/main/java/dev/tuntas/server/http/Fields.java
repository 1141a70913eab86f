package dev.tuntas.server.http;

import dev.tuntas.money.Money;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads the fields of a JSON object. A field that is wrong is noted and read as some harmless
/// value, so that one pass finds every mistake; [#finish] then ends the request if there was any,
/// or a field that nobody asked for.
public final class Fields {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]*");
  private static final int ID_MAX = 64;
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private final ObjectNode json;
  private final String pointer;
  private final FieldErrors errors;
  private final List<Fields> all;
  private final Set<String> asked = new HashSet<>();

  private Fields(ObjectNode json, String pointer, FieldErrors errors, List<Fields> all) {
    this.json = json;
    this.pointer = pointer;
    this.errors = errors;
    this.all = all;
    all.add(this);
  }

  public static Fields of(ObjectNode json) {
    return new Fields(json, "", new FieldErrors(), new ArrayList<>());
  }

  /// A text for people, in at most so many characters, and not blank.
  public String text(String name, int charactersMax) {
    return required(name, optionalText(name, charactersMax), "");
  }

  public Optional<String> optionalText(String name, int charactersMax) {
    return value(name).flatMap(value -> asText(value, name, charactersMax));
  }

  /// A text for machines: letters, digits and `. _ : -`.
  public String id(String name) {
    return required(name, optionalId(name), "x");
  }

  public Optional<String> optionalId(String name) {
    return optionalText(name, ID_MAX)
        .flatMap(
            text ->
                ID.matcher(text).matches()
                    ? Optional.of(text)
                    : wrong(name, "text_invalid", "It has letters, digits and . _ : - only."));
  }

  /// A whole number; 2.0 is one, "2" is not.
  public long wholeNumber(String name, long least, long most) {
    return required(name, optionalWholeNumber(name, least, most), least);
  }

  public Optional<Long> optionalWholeNumber(String name, long least, long most) {
    return wholeNumber(name, least, most, "out_of_range");
  }

  private Optional<Long> wholeNumber(String name, long least, long most, String code) {
    return value(name)
        .flatMap(
            value -> {
              if (!value.isNumber() || !isWhole(value.decimalValue())) {
                return wrong(name, "field_type", "It must be a whole number.");
              }
              var number = value.decimalValue();
              if (isBetween(number, BigDecimal.valueOf(least), BigDecimal.valueOf(most))) {
                return Optional.of(number.longValueExact());
              }
              return wrong(name, code, "It must be between " + least + " and " + most + ".");
            });
  }

  /// A number with a fraction, such as a latitude.
  public double number(String name, double least, double most, String code) {
    var number =
        value(name)
            .flatMap(
                value -> {
                  if (!value.isNumber()) {
                    return this.<Double>wrong(name, "field_type", "It must be a number.");
                  }
                  var decimal = value.decimalValue();
                  if (isBetween(decimal, BigDecimal.valueOf(least), BigDecimal.valueOf(most))) {
                    return Optional.of(decimal.doubleValue());
                  }
                  return wrong(name, code, "It must be between " + least + " and " + most + ".");
                });
    return required(name, number, least);
  }

  public boolean flag(String name) {
    return required(name, optionalFlag(name), false);
  }

  public Optional<Boolean> optionalFlag(String name) {
    return value(name)
        .flatMap(
            value ->
                value.isBoolean()
                    ? Optional.of(value.booleanValue())
                    : wrong(name, "field_type", "It must be true or false."));
  }

  /// One of the constants, by its name.
  public <E extends Enum<E>> E oneOf(String name, Class<E> type) {
    return required(name, optionalOneOf(name, type), type.getEnumConstants()[0]);
  }

  public <E extends Enum<E>> Optional<E> optionalOneOf(String name, Class<E> type) {
    return oneOf(name, List.of(type.getEnumConstants()), Enum::name);
  }

  /// One of the constants, by its name in lower case.
  public <E extends Enum<E>> E oneOfLowerCase(String name, Class<E> type) {
    var found =
        oneOf(
            name,
            List.of(type.getEnumConstants()),
            choice -> choice.name().toLowerCase(Locale.ROOT));
    return required(name, found, type.getEnumConstants()[0]);
  }

  private <E> Optional<E> oneOf(String name, List<E> choices, Function<E, String> text) {
    return optionalText(name, 100)
        .flatMap(
            given ->
                choices.stream()
                    .filter(choice -> text.apply(choice).equals(given))
                    .findFirst()
                    .or(
                        () ->
                            wrong(
                                name,
                                "out_of_range",
                                "It must be one of " + names(choices, text) + ".")));
  }

  private static <E> String names(List<E> choices, Function<E, String> text) {
    return String.join(", ", choices.stream().map(text).toList());
  }

  /// A day, as 2027-01-10.
  public LocalDate date(String name) {
    return required(
        name, parsed(name, LocalDate::parse, "a day such as 2027-01-10"), LocalDate.EPOCH);
  }

  /// A moment with its zone, as 2027-01-10T08:00:00Z.
  public Optional<Instant> optionalTime(String name) {
    return parsed(
            name,
            text -> OffsetDateTime.parse(text).toInstant(),
            "a time with its zone such as 2027-01-10T08:00:00Z")
        .flatMap(
            time ->
                time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)
                    ? wrong(name, "time_invalid", "It is too far away.")
                    : Optional.of(time));
  }

  private <T> Optional<T> parsed(String name, Function<String, T> parse, String wanted) {
    return optionalText(name, 40)
        .flatMap(
            text -> {
              try {
                return Optional.of(parse.apply(text));
              } catch (DateTimeException _) {
                return wrong(name, "time_invalid", "It must be " + wanted + ".");
              }
            });
  }

  public Optional<String> optionalEmail(String name) {
    return contact(name, Texts::isEmail, "It must be an e-mail address.");
  }

  public Optional<String> optionalPhone(String name) {
    return contact(name, Texts::isPhone, "It must be a phone number.");
  }

  private Optional<String> contact(String name, Predicate<String> isOne, String message) {
    var given = value(name);
    if (given.isEmpty()) return Optional.empty();
    var text = given.get().isString() ? given.get().stringValue() : "";
    return isOne.test(text) ? Optional.of(text) : wrong(name, "contact_invalid", message);
  }

  /// An object `{"amount", "currency"}`.
  public Money money(String name) {
    return object(name).money();
  }

  /// The fields `amount` and `currency` of this object.
  public Money money() {
    var amount =
        required("amount", wholeNumber("amount", 0, Money.AMOUNT_MAX, "amount_invalid"), 0L);
    var currency = text("currency", 10);
    if (!currency.isEmpty() && !Money.isCurrency(currency)) {
      wrong("currency", "currency_invalid", "It is not a currency that is known here.");
    }
    return new Money(amount, Money.isCurrency(currency) ? currency : "IDR");
  }

  public Fields object(String name) {
    var found = optionalObject(name);
    if (found.isEmpty() && !has(name)) missing(name);
    return found.orElseGet(this::harmless);
  }

  public Optional<Fields> optionalObject(String name) {
    return value(name).flatMap(value -> asObject(value, at(name)));
  }

  /// A list of objects with `least` to `most` elements; another number of them has `code`.
  public List<Fields> objects(String name, int least, int most, String code) {
    return elements(name, least, most, code, this::asObject);
  }

  /// A list of texts for machines.
  public List<String> ids(String name, int least, int most) {
    return elements(
        name,
        least,
        most,
        "out_of_range",
        (value, where) ->
            value.isString()
                    && value.stringValue().length() <= ID_MAX
                    && ID.matcher(value.stringValue()).matches()
                ? Optional.of(value.stringValue())
                : wrongAt(where, "field_type", "It must be a text of letters, digits and . _ : -"));
  }

  private interface Element<T> {
    Optional<T> read(JsonNode value, String where);
  }

  private <T> List<T> elements(String name, int least, int most, String code, Element<T> element) {
    var value = value(name);
    if (value.isEmpty()) {
      if (least > 0) missing(name);
      return List.of();
    }
    var array = value.get();
    if (!array.isArray()) {
      wrong(name, "field_type", "It must be a list.");
    } else if (array.size() < least || array.size() > most) {
      wrong(name, code, "It must have " + least + " to " + most + " elements.");
    } else {
      var list = new ArrayList<T>();
      for (int i = 0; i < array.size(); i++) {
        element.read(array.get(i), at(name) + "/" + i).ifPresent(list::add);
      }
      return list;
    }
    return List.of();
  }

  /// The value as it is, for fields whose shape nobody prescribes.
  public Optional<JsonNode> raw(String name) {
    return value(name);
  }

  public boolean has(String name) {
    var value = json.get(name);
    return value != null && !value.isNull();
  }

  /// Notes that a field is wrong for a reason of the caller's.
  public void refuse(String name, String code, String message) {
    errors.add(at(name), code, message);
  }

  /// Ends the request if any field, here or in the objects within, was wrong or not asked for.
  public void finish() {
    all.forEach(Fields::noteUnknown);
    errors.throwIfAny();
  }

  /// Like [#finish], for senders that may say more than we ask for.
  public void finishLeniently() {
    errors.throwIfAny();
  }

  private void noteUnknown() {
    for (var name : json.propertyNames()) {
      if (!asked.contains(name)) errors.addUnknown(at(name));
    }
  }

  private Optional<JsonNode> value(String name) {
    asked.add(name);
    return has(name) ? Optional.ofNullable(json.get(name)) : Optional.empty();
  }

  private Optional<String> asText(JsonNode value, String name, int charactersMax) {
    if (!value.isString()) return wrong(name, "field_type", "It must be a text.");
    var text = value.stringValue();
    if (text.codePointCount(0, text.length()) > charactersMax) {
      return wrong(name, "too_long", "It has at most " + charactersMax + " characters.");
    }
    var flaw = Texts.flaw(text);
    if (flaw.isPresent()) return wrong(name, "text_invalid", flaw.get());
    if (text.isBlank()) return wrong(name, "text_invalid", "It is blank.");
    return Optional.of(text);
  }

  private Optional<Fields> asObject(JsonNode value, String where) {
    return value instanceof ObjectNode object
        ? Optional.of(new Fields(object, where, errors, all))
        : wrongAt(where, "field_type", "It must be an object.");
  }

  /// What stands for an object that is missing: nothing it is asked for is noted again.
  private Fields harmless() {
    return new Fields(
        JsonNodeFactory.instance.objectNode(), "", new FieldErrors(), new ArrayList<>());
  }

  private <T> T required(String name, Optional<T> value, T harmless) {
    if (value.isEmpty() && !has(name)) missing(name);
    return value.orElse(harmless);
  }

  private void missing(String name) {
    errors.add(at(name), "field_required", "This field is needed.");
  }

  private <T> Optional<T> wrong(String name, String code, String message) {
    return wrongAt(at(name), code, message);
  }

  private <T> Optional<T> wrongAt(String where, String code, String message) {
    errors.add(where, code, message);
    return Optional.empty();
  }

  private String at(String name) {
    boolean plain = name.length() <= ID_MAX && name.chars().allMatch(c -> c > ' ' && c < 127);
    return pointer + "/" + (plain ? name.replace("~", "~0").replace("/", "~1") : "?");
  }

  private static boolean isBetween(BigDecimal number, BigDecimal least, BigDecimal most) {
    return number.compareTo(least) >= 0 && number.compareTo(most) <= 0;
  }

  private static boolean isWhole(BigDecimal number) {
    return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
  }
}
