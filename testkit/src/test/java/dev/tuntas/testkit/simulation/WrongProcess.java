package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.EngineNode;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Stalling;
import dev.tuntas.engine.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Processes that do not stand up again after trouble.
enum WrongProcess implements Bugs {
  THE_THREAD_THAT_BEATS_WAITS_FOR_A_BEAT {
    @Override
    public void beat(EngineNode node) {
      Stalling.beat(node);
    }
  },

  A_STATEMENT_THAT_FAILED_IS_USED_AGAIN {
    @Override
    public ForwardingStore connected(ForwardingStore store) {
      return new ForwardingStore(store) {
        private @Nullable StoreException poisoned;

        @Override
        public List<SagaRow> claimDue(
            int node, int lane, Set<Integer> kinds, Instant now, int candidates, int limit) {
          if (poisoned != null) throw poisoned;
          try {
            return super.claimDue(node, lane, kinds, now, candidates, limit);
          } catch (StoreException failed) {
            poisoned = failed;
            throw failed;
          }
        }
      };
    }
  };
}
