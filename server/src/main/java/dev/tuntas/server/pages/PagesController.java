package dev.tuntas.server.pages;

import java.io.IOException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/// The pages that say what this is and how it is called.
@Controller
final class PagesController {

  private final ApiDocument document;
  private final DocsPage docs;
  private final PublicAddress links;
  private final byte[] style;

  PagesController(ApiDocument document, DocsPage docs, PublicAddress links) throws IOException {
    this.document = document;
    this.docs = docs;
    this.links = links;
    this.style = new ClassPathResource("pages/style.css").getContentAsByteArray();
  }

  @GetMapping("/")
  String home(Model model) {
    model.addAttribute("address", links.base());
    return "home";
  }

  @GetMapping("/docs")
  String docs(Model model) {
    model.addAttribute("description", docs.description());
    model.addAttribute("groups", docs.groups());
    model.addAttribute("codes", docs.codes());
    return "docs";
  }

  @GetMapping("/v3/api-docs")
  ResponseEntity<byte[]> openApi() {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(document.json());
  }

  @GetMapping("/style.css")
  ResponseEntity<byte[]> style() {
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType("text/css;charset=UTF-8"))
        .header("Cache-Control", "max-age=300")
        .body(style);
  }
}
