package dev.tuntas.server.pages;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// What this is and where to go.
@RestController
class HomePage {

  @GetMapping(path = "/", produces = "text/html")
  String home() {
    return "<!doctype html><title>Tuntas</title><h1>Tuntas</h1>";
  }
}
