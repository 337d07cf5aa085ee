// Reads a request head, strictly by RFC 9112. Ambiguous input is refused, because a proxy in front of the service may
// read it differently. Uses no socket: it parses bytes that the caller has buffered. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/http/server/limits.hpp"
#include "core/http/server/refusal.hpp"
#include "core/http/server/request.hpp"

namespace tideover::http {

enum class BodyFraming { none, length, chunked };

struct Head {
  Request request;  // without its body
  BodyFraming framing = BodyFraming::none;
  std::uint64_t content_length = 0;
  bool keep_alive = true;
  bool expects_continue = false;
  bool is_http_1_0 = false;
};

class HeadParser {
 public:
  enum class Result { incomplete, complete, refused };

  explicit HeadParser(const ServerLimits& limits) : limits_(limits) {}

  /// `input` starts with the first byte of the head and may only grow between calls. Each byte is parsed once.
  Result advance(std::string_view input);

  /// Size of the head in bytes, with its empty line. Only when complete.
  std::size_t size() const { return scanned_; }
  /// The head. Partial before it is complete and after a refusal.
  Head& head() { return head_; }
  const Head& head() const { return head_; }
  const Refused& refused() const { return *refused_; }

 private:
  bool take_line(std::string_view line);
  bool take_request_line(std::string_view line);
  bool take_target(std::string_view target);
  bool take_field(std::string_view line);
  bool finish();
  bool settle_host();
  bool settle_connection();
  bool settle_framing();
  bool within_limits(std::size_t pending_bytes);
  bool refuse(Refusal refusal, std::string_view reason);

  const ServerLimits& limits_;
  Head head_;
  std::optional<Refused> refused_;
  std::size_t scanned_ = 0;
  std::size_t line_start_ = 0;
  std::size_t fields_start_ = 0;  // 0 until the request line was read
  bool skipped_empty_line_ = false;
  bool complete_ = false;
};

}  // namespace tideover::http
