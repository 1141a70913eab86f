package dev.tuntas.server.pages;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

/// The OpenAPI document: written by hand, one file for each group of paths, joined at the start.
@Component
public final class ApiDocument {

  private final Map<String, Object> document;
  private final byte[] json;

  ApiDocument() throws IOException {
    var resources = new PathMatchingResourcePatternResolver();
    document = read(resources.getResource("classpath:openapi/tuntas.yaml").getInputStream());
    var paths = new TreeMap<String, Object>();
    for (var file : resources.getResources("classpath*:openapi/paths/*.yaml")) {
      read(file.getInputStream())
          .forEach(
              (path, methods) -> {
                if (paths.put(path, methods) != null) {
                  throw new IllegalStateException(path + " is described twice");
                }
              });
    }
    document.put("paths", paths);
    json = JsonMapper.builder().build().writeValueAsBytes(document);
  }

  /// The document as JSON.
  public byte[] json() {
    return json.clone();
  }

  Map<String, Object> document() {
    return document;
  }

  private static Map<String, Object> read(InputStream file) throws IOException {
    try (file) {
      var yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
      Map<String, Object> loaded = yaml.load(file);
      return new LinkedHashMap<>(loaded);
    }
  }
}
