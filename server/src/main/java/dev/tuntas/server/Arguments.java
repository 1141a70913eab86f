package dev.tuntas.server;

import dev.tuntas.server.settings.SettingsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The command line, as Spring reads it: `--port 9000` becomes `--tuntas.port=9000`.
record Arguments(boolean help, List<String> forSpring) {

  private static final Map<String, String> FLAGS =
      Map.of("--port", "port", "--data", "data", "--address", "address");

  static Arguments of(String... words) {
    var forSpring = new ArrayList<String>();
    boolean help = false;
    for (int i = 0; i < words.length; i++) {
      var word = words[i];
      var flag = word.replaceFirst("=.*", "");
      if (word.equals("--help") || word.equals("-h")) {
        help = true;
      } else if (word.matches("--[a-z]+\\.[^=]+=.*")) {
        forSpring.add(word);
      } else if (!FLAGS.containsKey(flag)) {
        throw new SettingsException("there is no option " + flag + "; --help lists them");
      } else if (!word.equals(flag)) {
        forSpring.add("--tuntas." + FLAGS.get(flag) + word.substring(flag.length()));
      } else if (i + 1 < words.length) {
        forSpring.add("--tuntas." + FLAGS.get(flag) + "=" + words[++i]);
      } else {
        throw new SettingsException(flag + " needs a value");
      }
    }
    return new Arguments(help, forSpring);
  }
}
