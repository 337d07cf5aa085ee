// Reads a request body by its length or its chunks, within a limit. A malformed chunk is a refusal, never the end of
// the body: a truncated body must not pass as complete. Uses no socket. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/http/server/head_parser.hpp"

namespace tideover::http {

class BodyReader {
 public:
  enum class Result { incomplete, complete, refused };

  /// `limit` bounds the decoded body in bytes, `trailer_bytes` the chunk extensions and trailers.
  BodyReader(const Head& head, std::size_t limit, std::size_t trailer_bytes);

  /// Moves body bytes from the front of `input` to `body` and removes what it has read from `input`. May be called with
  /// empty input: the length alone can complete or refuse a body.
  Result advance(std::string& input, std::string& body);

  const Refused& refused() const { return *refused_; }

 private:
  enum class Place { chunk_size, chunk_bytes, chunk_end, trailer, done };

  bool read_length(std::string_view& rest, std::string& body);
  bool read_chunked(std::string_view& rest, std::string& body);
  bool move_bytes(std::string_view& rest, std::string& body);
  std::optional<std::string_view> take_line(std::string_view& rest);
  bool take_chunk_size(std::string_view line, std::size_t body_bytes);
  bool count_aside(std::size_t bytes);
  bool refuse(Refusal refusal, std::string_view reason);

  BodyFraming framing_;
  Place place_;
  std::uint64_t remaining_;  // of the body, or of the current chunk
  std::size_t limit_;
  std::size_t trailer_bytes_;
  std::size_t aside_bytes_ = 0;
  std::optional<Refused> refused_;
};

}  // namespace tideover::http
