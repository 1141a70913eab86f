package dev.tuntas.server.orders;

import dev.tuntas.orders.KeyHints;
import dev.tuntas.orders.KeyHints.Hint;
import dev.tuntas.orders.KeyHints.Use;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.OrderDesk.Receipt;
import dev.tuntas.server.observe.IdempotencyHits;
import java.util.Optional;

/// Finds the order that a key was used for. A hint that the key is new saves a look into the
/// database, which is made up for before anything is refused; every other hint is confirmed there.
/// So what is answered is the same without hints.
public final class KeyDesk {

  private final OrderDesk desk;
  private final KeyHints hints;
  private final IdempotencyHits hits;

  public KeyDesk(OrderDesk desk, KeyHints hints, IdempotencyHits hits) {
    this.desk = desk;
    this.hints = hints;
    this.hits = hits;
  }

  /// A request begins to use its key.
  Claim claim(String client, String key, String fingerprint) {
    return new Claim(client, key, fingerprint, hints.claim(client, key));
  }

  /// One request with its key. Not for several threads.
  final class Claim {

    private final String client;
    private final String key;
    private final String fingerprint;
    private final Hint hint;

    private Claim(String client, String key, String fingerprint, Hint hint) {
      this.client = client;
      this.key = key;
      this.fingerprint = fingerprint;
      this.hint = hint;
    }

    /// The order of this key, or nothing if there is none or the key is said to be new.
    Optional<Receipt> known() {
      return hint instanceof Hint.New ? Optional.empty() : confirmed();
    }

    /// The order of this key after all. To be asked before a request is refused: a client that
    /// repeats an accepted order is never turned away.
    Optional<Receipt> knownAfterAll() {
      if (!(hint instanceof Hint.New)) return Optional.empty(); // it was asked
      var known = confirmed();
      if (known.isEmpty()) hints.forget(client, key);
      return known;
    }

    private Optional<Receipt> confirmed() {
      var known = desk.known(client, key, fingerprint);
      known.ifPresentOrElse(this::found, this::foundNone);
      return known;
    }

    private void found(Receipt receipt) {
      if (isAsHinted(receipt)) hits.inRedis();
      else hits.inDatabase();
      if (!isAsHinted(receipt)) note(receipt);
    }

    private void foundNone() {
      if (hint instanceof Hint.Used) hints.forget(client, key);
    }

    private boolean isAsHinted(Receipt receipt) {
      if (!(hint instanceof Hint.Used(var use))) return false;
      boolean same = use.fingerprint().equals(fingerprint);
      return switch (receipt) {
        case Receipt.Placed placed -> same && use.orderId().equals(placed.orderId());
        case Receipt.KeyReused _ -> !same;
        case Receipt.InProgress _, Receipt.NoRoom _ -> false;
      };
    }

    /// What came of it when it was placed.
    void placed(Receipt receipt) {
      switch (receipt) {
        case Receipt.Placed placed -> {
          if (placed.repeated()) hits.inDatabase();
          note(placed);
        }
        case Receipt.KeyReused _ -> {
          hits.inDatabase();
          hints.forget(client, key);
        }
        case Receipt.NoRoom _ -> hints.forget(client, key);
        case Receipt.InProgress _ -> {}
      }
    }

    private void note(Receipt receipt) {
      switch (receipt) {
        case Receipt.Placed placed ->
            hints.used(client, key, new Use(placed.orderId(), fingerprint, null));
        case Receipt.KeyReused _ -> hints.forget(client, key);
        case Receipt.InProgress _, Receipt.NoRoom _ -> {}
      }
    }

    /// The order failed, and that was its final answer.
    void failed(Receipt.Placed placed, String code) {
      hints.used(client, key, new Use(placed.orderId(), fingerprint, code));
    }
  }
}
