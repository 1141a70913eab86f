package dev.tuntas.bench.verify;

import dev.tuntas.bench.BenchException;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.payment.Cashier;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.simulator.SimulatedDispatch;
import dev.tuntas.simulator.SimulatedWarehouse;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Snapshot;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// All that a server keeps, each database as it was at one moment. These moments follow each other
/// in such an order that an effect is never older than what tells of it: the orders come first, and
/// whoever writes a thing down last is looked at before the one who writes it down first.
///
/// @param inventory null if that service is elsewhere, like all the others
/// @param auditHeads where the heads of the audit log are kept, if that is here
public record Archive(
    Tables orders,
    @Nullable Tables warehouse,
    @Nullable Tables inventory,
    @Nullable Tables payment,
    @Nullable Tables bank,
    @Nullable Tables dispatch,
    @Nullable Path auditHeads)
    implements AutoCloseable {

  private static final String ANY_EFFECT = "select 1 from ledger limit 1";

  /// Of a server with its data in this folder.
  public static Archive in(Path data) {
    if (!Files.isDirectory(data)) throw new BenchException("there is no folder " + data);
    var orders =
        Snapshot.ofSagas(data.resolve("orders"))
            .orElseThrow(
                () ->
                    new BenchException(data + " is not a data folder of Tuntas: it has no orders"));
    return of(orders, set -> Snapshot.of(data, set), data.resolve("audit-heads.log"));
  }

  /// Of servers on this database.
  public static Archive at(PostgresSettings settings) {
    var orders =
        Snapshot.ofSagas(settings)
            .orElseThrow(
                () -> new BenchException("the database is not one of Tuntas: it has no orders"));
    var archive = of(orders, set -> Snapshot.of(settings, set), null);
    return archive.hasWarehouse() ? archive : archive.withoutWarehouse();
  }

  /// A simulator that no inventory stands behind keeps an empty ledger.
  private boolean hasWarehouse() {
    return warehouse != null
        && warehouse.read("look into a ledger", s -> s.first(ANY_EFFECT, _ -> true)).isPresent();
  }

  private Archive withoutWarehouse() {
    if (warehouse != null) warehouse.close();
    return new Archive(orders, null, inventory, payment, bank, dispatch, auditHeads);
  }

  private static Archive of(
      Tables orders, Function<TableSet, Optional<Snapshot>> services, @Nullable Path heads) {
    return new Archive(
        orders,
        services.apply(SimulatedWarehouse.TABLES).orElse(null),
        services.apply(StockRoom.TABLES).orElse(null),
        services.apply(Cashier.TABLES).orElse(null),
        services.apply(SimulatedBank.TABLES).orElse(null),
        services.apply(SimulatedDispatch.TABLES).orElse(null),
        heads);
  }

  @Override
  public void close() {
    List<@Nullable Tables> all = new ArrayList<>();
    all.add(dispatch);
    all.add(bank);
    all.add(payment);
    all.add(inventory);
    all.add(warehouse);
    all.add(orders);
    for (var tables : all) if (tables != null) tables.close();
  }
}
