package dev.tuntas.bench.alerts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The words of an expression, one after the other.
final class Tokens {

  enum Kind {
    NAME,
    NUMBER,
    DURATION,
    TEXT,
    SYMBOL,
    END
  }

  record Token(Kind kind, String text, int at) {

    boolean is(String word) {
      return (kind == Kind.SYMBOL || kind == Kind.NAME) && text.equals(word);
    }
  }

  private static final Pattern PARTS =
      Pattern.compile(
          "\\s+|#[^\n]*"
              + "|(?<duration>(?:\\d+(?:ms|[smhdwy]))+)(?![\\w.])"
              + "|(?<number>(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)"
              + "|(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)"
              + "|(?<text>\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*')"
              + "|(?<symbol>==|!=|>=|<=|=~|!~|[-+*/%(){}\\[\\],=<>])");

  private final String source;
  private final List<Token> tokens = new ArrayList<>();
  private int next;

  Tokens(String source) {
    this.source = source;
    var matcher = PARTS.matcher(source);
    int at = 0;
    while (at < source.length()) {
      if (!matcher.region(at, source.length()).lookingAt()) throw unexpected(at);
      for (var kind : Kind.values()) {
        if (kind == Kind.END) continue;
        var found = matcher.group(kind.name().toLowerCase(Locale.ROOT));
        if (found != null) tokens.add(new Token(kind, found, at));
      }
      at = matcher.end();
    }
    tokens.add(new Token(Kind.END, "", at));
  }

  Token peek() {
    return tokens.get(next);
  }

  Token take() {
    var token = tokens.get(next);
    if (token.kind != Kind.END) next++;
    return token;
  }

  boolean takeIf(String word) {
    if (!peek().is(word)) return false;
    next++;
    return true;
  }

  Token take(Kind kind) {
    if (peek().kind != kind) throw unexpected(peek().at);
    return take();
  }

  void expect(String word) {
    if (!takeIf(word)) throw unexpected(peek().at);
  }

  IllegalArgumentException unexpected(int at) {
    return new IllegalArgumentException(
        "not understood at character " + (at + 1) + ": " + source.strip());
  }
}
