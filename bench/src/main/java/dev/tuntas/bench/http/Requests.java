package dev.tuntas.bench.http;

import java.net.URI;

/// What is sent to a server: one request after the other, as bytes.
interface Requests {

  URI server();

  byte[] next();
}
