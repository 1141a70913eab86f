package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.MemoryStore;
import dev.tuntas.testkit.Tampering;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/// Stores that break one of their promises.
enum WrongStore implements Bugs {
  NO_FENCE {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new Unfenced(store, (_, _, _) -> true);
    }
  },

  THE_FENCE_IS_THE_OWNER {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new Unfenced(store, (row, node, _) -> row.owner() == node);
    }
  },

  THE_FENCE_IS_THE_VERSION {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new Unfenced(store, (row, _, move) -> row.version() == move.version());
    }
  },

  A_CLAIM_IS_GIVEN_TWICE {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        private final Map<Integer, List<SagaRow>> given = new HashMap<>();

        @Override
        public List<SagaRow> claimDue(
            int node, int lane, Set<Integer> kinds, Instant now, int candidates, int limit) {
          var rows = new ArrayList<>(super.claimDue(node, lane, kinds, now, candidates, limit));
          given.put(node, List.copyOf(rows));
          given.forEach(
              (other, theirs) -> {
                if (other != node) rows.addAll(theirs);
              });
          return rows;
        }
      };
    }
  },

  BEATS_ARE_READ_AND_NOT_COUNTED {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public Reading beat(int node) {
          var reading = super.beat(node);
          var peers = reading.peers().stream().map(peer -> new Peer(peer.node(), 0)).toList();
          return new Reading(reading.alive(), reading.storeTime(), peers);
        }

        @Override
        public boolean declareDead(int node, long beatSeen) {
          leave(node);
          return true;
        }
      };
    }
  },

  SAGAS_ARE_TAKEN_FROM_THE_LIVING {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        private Instant now = Instant.MIN;

        @Override
        public Reading beat(int node) {
          var reading = super.beat(node);
          now = reading.storeTime();
          return reading;
        }

        @Override
        public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
          // "It has not moved for so long that its owner must be dead."
          var old =
              store.sagas().stream()
                  .filter(row -> row.owner() != null && row.owner() != node)
                  .filter(row -> row.movedAt().isBefore(now.minusSeconds(1)))
                  .toList();
          return Tampering.seize(store, node, old);
        }
      };
    }
  },

  CRASHES_ARE_NOT_COUNTED {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
          return super.takeOver(node, kinds, limit).stream().map(this::first).toList();
        }

        private SagaRow first(SagaRow row) {
          return new SagaRow(
              row.id(),
              row.kind(),
              row.version(),
              row.status(),
              row.owner(),
              row.lane(),
              row.dueAt(),
              row.deadline(),
              1,
              row.progress(),
              row.data(),
              row.createdAt(),
              row.movedAt());
        }
      };
    }
  },

  SAGAS_ARE_GIVEN_TO_PROGRAMS_THAT_DO_NOT_KNOW_THEM {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
          return super.takeOver(node, Set.of(1, 2, 3), limit);
        }

        @Override
        public List<SagaRow> claimSignalled(int node, Set<Integer> kinds, int limit) {
          return super.claimSignalled(node, Set.of(1, 2, 3), limit);
        }
      };
    }
  },

  RETENTION_DELETES_WHAT_LIVES {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public int purgeEnded(Instant before, int limit) {
          var old = store.sagas().stream().filter(row -> row.createdAt().isBefore(before)).toList();
          old.forEach(row -> Tampering.lose(store, row));
          return old.size();
        }
      };
    }
  },

  A_BAD_ENTRY_STOPS_ITS_BATCH {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public BitSet commit(int node, List<Write> batch) {
          try {
            return super.commit(node, batch);
          } catch (StoreException bad) {
            throw new StoreException(StoreException.Kind.NOT_DONE, "try again", bad);
          }
        }
      };
    }
  },

  DEAD_NODES_ARE_NEVER_SWEPT {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
          return List.of();
        }
      };
    }
  },

  LOST_CLAIMS_ARE_NEVER_ADOPTED {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public List<String> ownedBy(int node, Instant from, Instant to, int limit) {
          return List.of();
        }
      };
    }
  },

  A_SIGNAL_DOES_NOT_WAKE {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public List<SagaRow> claimSignalled(int node, Set<Integer> kinds, int limit) {
          return List.of();
        }
      };
    }
  },

  A_SIGNAL_IS_ACKNOWLEDGED_BEFORE_IT_IS_STORED {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public Put put(String sagaId, Signal signal, Instant at) {
          return random.nextInt(10) == 0 ? Put.NEW : super.put(sagaId, signal, at);
        }
      };
    }
  },

  A_SIGNAL_FOR_AN_UNKNOWN_SAGA_IS_DROPPED {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public Put put(String sagaId, Signal signal, Instant at) {
          return find(sagaId).isEmpty() ? Put.NEW : super.put(sagaId, signal, at);
        }
      };
    }
  },

  A_SIGNAL_IS_APPLIED_AND_NOT_MARKED {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new Rewriting(store, move -> rewrite(move, move.data(), List.of(), move.dueAt()));
    }
  },

  A_LATE_READER_MISSES_SIGNALS {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        private final Set<Long> seen = new HashSet<>();

        @Override
        public List<InboxItem> pending(int node, int limit) {
          // "Everything above the last one I saw": what was read and not applied is gone.
          return super.pending(node, limit).stream().filter(item -> seen.add(item.pos())).toList();
        }
      };
    }
  },

  DATA_IS_NOT_WRITTEN {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new Rewriting(store, move -> rewrite(move, null, move.applied(), move.dueAt()));
    }
  },

  TIMERS_ARE_LOST {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new Rewriting(
          store,
          move -> {
            var due = move.dueAt();
            var never = due == null ? null : due.plusSeconds(1_000_000_000);
            return rewrite(move, move.data(), move.applied(), never);
          });
    }
  },

  HALF_A_BATCH_IS_ACKNOWLEDGED_AS_WHOLE {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public BitSet commit(int node, List<Write> batch) {
          var written = super.commit(node, batch.subList(0, (batch.size() + 1) / 2));
          written.set((batch.size() + 1) / 2, batch.size());
          return written;
        }
      };
    }
  },

  ACKNOWLEDGED_BEFORE_THE_COMMIT {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public BitSet commit(int node, List<Write> batch) {
          if (random.nextInt(50) > 0) return super.commit(node, batch);
          var written = new BitSet();
          written.set(0, batch.size());
          return written;
        }
      };
    }
  },

  NOTICES_ARE_MARKED_BEFORE_THEY_ARE_PUBLISHED {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public List<Entry> next(Instant now, int limit) {
          var notices = super.next(now, limit);
          published(notices.stream().map(Entry::pos).toList());
          return notices;
        }
      };
    }
  },

  A_FAILED_NOTICE_IS_FORGOTTEN {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public void failed(long pos, String error, Instant retryAt) {
          published(List.of(pos));
        }
      };
    }
  },

  A_FAILED_NOTICE_HOLDS_NOBODY_BACK {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        private final Map<Long, Instant> until = new HashMap<>();

        @Override
        public List<Entry> next(Instant now, int limit) {
          var due = new ArrayList<Entry>();
          for (var notice : super.next(now, limit)) {
            var retryAt = until.get(notice.pos());
            if (retryAt == null || !retryAt.isAfter(now)) due.add(notice);
          }
          return due;
        }

        @Override
        public void failed(long pos, String error, Instant retryAt) {
          until.put(pos, retryAt);
        }
      };
    }
  },

  NOTICES_LEAVE_IN_THE_WRONG_ORDER {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public List<Entry> next(Instant now, int limit) {
          return super.next(now, limit).reversed();
        }
      };
    }
  },

  NOTICES_ARE_WRITTEN_AFTER_THE_COMMIT {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        @Override
        public BitSet commit(int node, List<Write> batch) {
          if (random.nextInt(50) > 0) return super.commit(node, batch);
          return super.commit(node, batch.stream().map(WrongStore::withoutNotices).toList());
        }
      };
    }
  },

  A_DEAD_LETTER_GETS_A_NEW_EVENT_ID {
    @Override
    public ForwardingStore around(MemoryStore store, RandomGenerator random) {
      return new ForwardingStore(store) {
        private final Set<Long> revived = new HashSet<>();

        @Override
        public boolean revive(long pos) {
          revived.add(pos);
          return super.revive(pos);
        }

        @Override
        public List<Entry> next(Instant now, int limit) {
          return super.next(now, limit).stream().map(this::renamed).toList();
        }

        private Entry renamed(Entry e) {
          if (!revived.contains(e.pos())) return e;
          return new Entry(
              e.pos(), e.sagaId(), 1_000_000 + e.version(), e.seq(), e.type(), e.body(), e.at(), 0);
        }
      };
    }
  };

  static Write.Move rewrite(
      Write.Move move, String data, List<Write.Applied> applied, Instant dueAt) {
    return new Write.Move(
        move.id(),
        move.version(),
        move.status(),
        move.lane(),
        dueAt,
        move.deadline(),
        move.progress(),
        data,
        move.what(),
        move.notices(),
        applied,
        move.at());
  }

  private static Write withoutNotices(Write write) {
    return switch (write) {
      case Write.Insert i ->
          new Write.Insert(
              i.id(),
              i.kind(),
              i.status(),
              i.lane(),
              i.dueAt(),
              i.deadline(),
              i.progress(),
              i.data(),
              i.what(),
              List.of(),
              i.at());
      case Write.Move m ->
          new Write.Move(
              m.id(),
              m.version(),
              m.status(),
              m.lane(),
              m.dueAt(),
              m.deadline(),
              m.progress(),
              m.data(),
              m.what(),
              List.of(),
              m.applied(),
              m.at());
    };
  }

  /// Writes something else than it was given.
  private static final class Rewriting extends ForwardingStore {

    private final UnaryOperator<Write.Move> rewrite;

    Rewriting(MemoryStore store, UnaryOperator<Write.Move> rewrite) {
      super(store);
      this.rewrite = rewrite;
    }

    @Override
    public BitSet commit(int node, List<Write> batch) {
      return super.commit(
          node,
          batch.stream()
              .map(write -> write instanceof Write.Move move ? rewrite.apply(move) : write)
              .toList());
    }
  }

  /// Lets a write pass that another owner or another version should stop.
  private static final class Unfenced extends ForwardingStore {

    interface Fence {
      boolean lets(SagaRow row, int node, Write.Move move);
    }

    private final Fence fence;

    Unfenced(MemoryStore store, Fence fence) {
      super(store);
      this.fence = fence;
    }

    @Override
    public BitSet commit(int node, List<Write> batch) {
      var written = super.commit(node, batch);
      for (int i = 0; i < batch.size(); i++) {
        var row = find(batch.get(i).id()).orElse(null);
        boolean refused = !written.get(i) && row != null && row.owner() != null;
        if (refused && batch.get(i) instanceof Write.Move move && fence.lets(row, node, move)) {
          var write =
              new Write.Move(
                  move.id(),
                  row.version(),
                  move.status(),
                  move.lane(),
                  move.dueAt(),
                  move.deadline(),
                  move.progress(),
                  move.data(),
                  move.what(),
                  move.notices(),
                  move.applied(),
                  move.at());
          written.set(i, super.commit(row.owner(), List.of(write)).get(0));
        }
      }
      return written;
    }
  }
}
