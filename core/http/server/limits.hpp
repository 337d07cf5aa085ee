// The limits of the HTTP server. Every timeout is absolute: it starts with its phase and does not restart with each
// byte, so a client that sends single bytes gains nothing.
#pragma once

#include <cstddef>

namespace tideover::http {

struct ServerLimits {
  std::size_t uri_bytes = std::size_t{8} * 1024;      // request target
  std::size_t header_bytes = std::size_t{16} * 1024;  // all header fields together, without the request line
  std::size_t header_count = 100;

  int head_timeout_ms = 10'000;   // first byte of a request to the end of its headers
  int body_timeout_ms = 60'000;   // end of the headers to the end of the body
  int write_timeout_ms = 30'000;  // first to last byte of a response
  int idle_timeout_ms = 60'000;   // without a byte of a next request

  // Bytes of requests that all connections together may hold, in addition to the limit of each.
  std::size_t buffered_bytes = std::size_t{512} * std::size_t{1024} * 1024;

  // Bytes of answers that wait to be read by clients, of all connections together. An answer above the limit is dropped
  // and its connection closed.
  std::size_t unsent_bytes = std::size_t{256} * std::size_t{1024} * 1024;

  std::size_t connections = 12'000;
  std::size_t queued_requests = 1'024;  // complete requests that wait for a worker
  std::size_t worker_threads = 16;      // handlers that run at the same time

  // After a refusal the rest of the client's input is read and discarded; otherwise the client's kernel may drop the
  // answer. The time is the main limit, since most clients read only after their last byte. The byte limit stops
  // clients that send without end.
  std::size_t linger_bytes = std::size_t{64} * std::size_t{1024} * 1024;
  int linger_timeout_ms = 2'000;
};

}  // namespace tideover::http
