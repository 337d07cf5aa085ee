// Reads the head of a request, strictly by RFC 9112. Input that two parsers could read in two ways is refused,
// because a proxy in front may read it differently. Independent of sockets: it works on bytes that the caller has
// buffered. Use from one thread at a time.
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

  /// `input` starts with the first byte of the head and may only grow between calls. Each byte is read once.
  Result advance(std::string_view input);

  /// Length of the head with its empty line, in bytes. Valid once complete.
  std::size_t size() const { return scanned_; }
  /// The whole head once complete; before that, and after a refusal, the part that was parsed.
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
  std::size_t fields_start_ = 0;  // 0 until the request line is read
  bool skipped_empty_line_ = false;
  bool complete_ = false;
};

}  // namespace tideover::http
