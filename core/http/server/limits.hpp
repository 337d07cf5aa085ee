// Bounds of the HTTP server. Every time-out runs from the start of its phase and does not restart with each byte, so
// that a slow client gains nothing.
#pragma once

#include <cstddef>

namespace tideover::http {

struct ServerLimits {
  std::size_t uri_bytes = 8 * 1024;      // request target
  std::size_t header_bytes = 16 * 1024;  // all header fields together, without the request line
  std::size_t header_count = 100;

  int head_timeout_ms = 10'000;   // first byte of a request to the end of its headers
  int body_timeout_ms = 60'000;   // end of the headers to the end of the body
  int write_timeout_ms = 30'000;  // first to last byte of a response
  int idle_timeout_ms = 60'000;   // without a byte of a next request

  // Bytes of requests that all connections together may hold, independent of the limit of each request.
  std::size_t buffered_bytes = 512 * 1024 * 1024;

  // Unsent bytes of responses of all connections together. A response beyond the bound is dropped with its
  // connection.
  std::size_t unsent_bytes = 256 * 1024 * 1024;

  std::size_t connections = 12'000;
  std::size_t queued_requests = 1'024;  // complete requests that wait for a worker
  std::size_t worker_threads = 16;      // handlers that run at once

  // After a refusal the remaining input is read and discarded; otherwise the kernel would send RST and drop the
  // response. The time bounds this for normal clients, which read only after their last byte; the byte limit stops
  // floods.
  std::size_t linger_bytes = 64 * 1024 * 1024;
  int linger_timeout_ms = 2'000;
};

}  // namespace tideover::http
