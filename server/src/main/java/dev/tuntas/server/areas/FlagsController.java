package dev.tuntas.server.areas;

import dev.tuntas.areas.AreaBook;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.settings.Here;
import java.util.Map;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// What is switched on, for whom. What a change does not name stays.
@RestController
@Conditional(Here.Web.class)
@RequestMapping("/api/v1/admin/flags")
class FlagsController {

  private final AreaBook book;

  FlagsController(AreaBook book) {
    this.book = book;
  }

  @GetMapping
  Map<String, Object> show() {
    return AreaShown.flags(book.current().flags());
  }

  @PutMapping
  Map<String, Object> put(JsonBody body, Caller caller) {
    var flags = book.changeFlags(before -> AreaRequests.flags(body.fields(), before), caller::did);
    return AreaShown.flags(flags);
  }
}
