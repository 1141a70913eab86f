package dev.tuntas.server.services;

import dev.tuntas.audit.Audit;
import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockView;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// Shows what is in stock, and lets operators change it.
@RestController
@RequestMapping("/api/v1/inventory")
@Conditional(Here.Inventory.class)
class CatalogueController {

  private final StockList list;
  private final Audit audit;

  CatalogueController(StockList stockList, Audit audit) {
    this.list = stockList;
    this.audit = audit;
  }

  @GetMapping("/items/{sku}")
  Map<String, Object> item(@PathVariable String sku, HttpServletRequest request) {
    parameters(request, Set.of());
    return item(list.item(sku).orElseThrow(() -> Problem.notFound().asException()));
  }

  /// On the night that `date` names, or tonight.
  @GetMapping("/rooms/{id}")
  Map<String, Object> room(@PathVariable String id, HttpServletRequest request) {
    var date = date(parameters(request, Set.of("date")).get("date"));
    return room(list.room(id, date).orElseThrow(() -> Problem.notFound().asException()));
  }

  @PutMapping("/items/{sku}")
  Map<String, Object> putItem(@PathVariable String sku, JsonBody body, Caller caller) {
    var fields = body.fields();
    long stock = fields.wholeNumber("stock", 0, StockList.STOCK_MAX);
    var price = fields.money("price");
    fields.finish();
    note(caller, "item " + sku, list.item(sku), stock + " at " + price.text());
    return item(Told.orProblem(list.putItem(sku, stock, price)));
  }

  @PutMapping("/rooms/{id}")
  Map<String, Object> putRoom(@PathVariable String id, JsonBody body, Caller caller) {
    var fields = body.fields();
    long count = fields.wholeNumber("count", 0, StockList.STOCK_MAX);
    var price = fields.money("price");
    fields.finish();
    note(caller, "room " + id, list.room(id, null), count + " at " + price.text());
    return room(Told.orProblem(list.putRoom(id, count, price)));
  }

  /// Before it is done: the stock is in another database, and nothing may go unnoticed.
  private void note(Caller caller, String subject, Optional<StockView> before, String after) {
    var was = before.map(view -> view.stock() + " at " + view.price().text()).orElse(null);
    audit.append(caller.did("inventory.put", subject).changing(was, after));
  }

  private static Map<String, String> parameters(HttpServletRequest request, Set<String> known) {
    var parameters = ListQuery.parameters(request);
    if (known.containsAll(parameters.keySet())) return parameters;
    throw ListQuery.invalid("There is a parameter that nobody knows here.");
  }

  private static @Nullable LocalDate date(@Nullable String text) {
    if (text == null) return null;
    try {
      if (text.length() == 10) return LocalDate.parse(text);
    } catch (DateTimeException _) {
      // told below
    }
    throw ListQuery.invalid("The parameter date is a day such as 2027-01-10.");
  }

  private static Map<String, Object> item(StockView view) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("sku", view.id());
    shown.put("stock", view.stock());
    return with(shown, view);
  }

  private static Map<String, Object> room(StockView view) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("room_id", view.id());
    if (view.date() != null) shown.put("date", view.date());
    shown.put("count", view.stock());
    return with(shown, view);
  }

  private static Map<String, Object> with(Map<String, Object> shown, StockView view) {
    shown.put("available", view.available());
    shown.put("held", view.held());
    shown.put("committed", view.committed());
    shown.put("price", view.price());
    return shown;
  }
}
