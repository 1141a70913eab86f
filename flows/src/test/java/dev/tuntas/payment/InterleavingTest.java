package dev.tuntas.payment;

import static dev.tuntas.payment.Till.code;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.saga.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// A charge, a whole refund and a partial one of the same order, in every order in which their
/// parts can follow each other: before the bank, at the bank, after the bank; each with its answer
/// lost or not. However they meet, nothing is both charged and kept, and the books agree with the
/// bank.
class InterleavingTest {

  private static final int PARTS = 3;

  /// Calls `check` for every sequence in which each of `left.length` players moves so often.
  private static void eachOrder(int[] left, List<Integer> moves, Consumer<List<Integer>> check) {
    boolean end = true;
    for (int player = 0; player < left.length; player++) {
      if (left[player] == 0) continue;
      end = false;
      left[player]--;
      moves.add(player);
      eachOrder(left, moves, check);
      moves.removeLast();
      left[player]++;
    }
    if (end) check.accept(moves);
  }

  private record Player(String name, Supplier<Outcome<Receipt>> request) {}

  /// Plays one order of moves and repeats each request until its answer is certain.
  private static List<String> play(Till till, List<Player> players, List<Integer> moves, int lost) {
    var gates = new Gates(till.bank);
    var runs =
        players.stream()
            .map(player -> gates.start(player.request(), (lost & 1 << players.indexOf(player)) > 0))
            .toList();
    for (int player : moves) runs.get(player).move();
    runs.forEach(Gates.Run::finish);
    gates.open();
    var answers = new ArrayList<String>();
    for (int i = 0; i < players.size(); i++) {
      var first = code(runs.get(i).answer());
      answers.add(first.equals("unclear") ? code(players.get(i).request().get()) : first);
    }
    return answers;
  }

  @Test
  void a_charge_and_a_whole_refund() {
    for (int lost = 0; lost < 4; lost++) {
      int answersLost = lost;
      eachOrder(
          new int[] {PARTS, PARTS},
          new ArrayList<>(),
          moves -> {
            try (var till = new Till(Gates.tables())) {
              var players =
                  List.of(
                      new Player("refund", () -> till.refund("o-1")),
                      new Player("charge", () -> till.charge("o-1")));
              var answers = play(till, players, moves, answersLost);

              assertThat(answers.get(0)).as("%s", moves).isIn("refunded 0", "refunded 100");
              assertThat(answers.get(1)).as("%s", moves).isIn("refunded", "charged 100");
              // The two tell the same story.
              assertThat(answers.get(0).equals("refunded 100"))
                  .as("%s", moves)
                  .isEqualTo(answers.get(1).equals("charged 100"));
              till.keeps("o-1", 0);
            }
          });
    }
  }

  @Test
  void a_whole_and_two_partial_refunds() {
    eachOrder(
        new int[] {PARTS, PARTS, PARTS},
        new ArrayList<>(),
        moves -> {
          try (var till = new Till(Gates.tables())) {
            till.charge("o-1");
            var players =
                List.of(
                    new Player("whole", () -> till.refund("o-1")),
                    new Player("part 1", () -> till.refundPart("o-1", 1, 60)),
                    new Player("part 2", () -> till.refundPart("o-1", 2, 60)));
            var answers = play(till, players, moves, moves.hashCode() & 7);

            assertThat(answers.subList(1, 3))
                .as("%s", moves)
                .allMatch(a -> a.equals("refunded 60") || a.equals("refund_exceeds_captured"));
            assertThat(answers.stream().mapToLong(InterleavingTest::given).sum())
                .as("%s %s", moves, answers)
                .isEqualTo(100);
            till.keeps("o-1", 0);
          }
        });
  }

  private static long given(String answer) {
    return answer.startsWith("refunded ") ? Long.parseLong(answer.substring(9)) : 0;
  }

  @Test
  void the_same_charge_twice() {
    for (int lost = 0; lost < 4; lost++) {
      int answersLost = lost;
      eachOrder(
          new int[] {PARTS, PARTS},
          new ArrayList<>(),
          moves -> {
            try (var till = new Till(Gates.tables())) {
              var player = new Player("charge", () -> till.charge("o-1"));
              var again = new Player("again", () -> till.charge("o-1"));
              assertThat(play(till, List.of(player, again), moves, answersLost))
                  .as("%s", moves)
                  .containsOnly("charged 100");
              assertThat(till.bank.captured("o-1")).isEqualTo(100);
              till.keeps("o-1", 100);
            }
          });
    }
  }
}
