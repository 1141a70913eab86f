package dev.tuntas.server.orders;

import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.Standing;
import dev.tuntas.server.http.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/// The form with which a customer cancels: when it is offered, and that it came from our own page.
final class CancelForm {

  /// What a browser says of a form that is sent by our own page, or by a person.
  private static final Set<String> OWN = Set.of("same-origin", "none");

  private CancelForm() {}

  /// Whether cancelling may still work. A booking that was confirmed late can be taken back.
  static boolean isOffered(OrderView view) {
    var standing = view.standing();
    if (standing.needsAttention()) return false;
    boolean late =
        view.order().kind() == Order.Kind.BOOKING
            && standing.recoveryConfirmed()
            && standing.status().equals(Standing.CONFIRMED);
    return late || !view.isOver() && !standing.status().equals(Standing.REFUND_PENDING);
  }

  /// The words about what came of it, read from the order and not from the address.
  static String said(OrderView view, String asked) {
    if (view.standing().wentThrough()) return "cancel.said.late";
    if (!view.isOver()) return "cancel.said.under_way";
    return asked.equals("done") ? "cancel.said.done" : "cancel.said.over";
  }

  /// Only who was shown the form can know this.
  static String proof(OrderView view) {
    var secret = "cancel " + view.order().origin().pageToken();
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Another site cannot know the link; if it does, its form is refused all the same.
  static void require(OrderView view, String proof, HttpServletRequest request) {
    var site = request.getHeader("Sec-Fetch-Site");
    var given = proof.getBytes(StandardCharsets.UTF_8);
    boolean shown = MessageDigest.isEqual(proof(view).getBytes(StandardCharsets.UTF_8), given);
    if (!shown || site != null && !OWN.contains(site)) {
      throw Problem.of(
              403, "csrf", "Please cancel with the button on the page of your order itself.")
          .asException();
    }
  }
}
