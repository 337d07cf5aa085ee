#include "core/http/server/body_reader.hpp"

#include <algorithm>
#include <charconv>

#include "core/http/server/grammar.hpp"

namespace tideover::http {

namespace {

constexpr std::size_t kMostLineBytes = 1024;  // one chunk-size or trailer line
constexpr std::size_t kMostSizeDigits = 16;
constexpr std::size_t kLargeBytes = 1 << 20;
constexpr std::size_t kTerminatorBytes = 16;  // for the terminating bytes of parsers that work in place

}  // namespace

BodyReader::BodyReader(const Head& head, std::size_t limit, std::size_t trailer_bytes)
    : framing_(head.framing),
      place_(head.framing == BodyFraming::none ? Place::done : Place::chunk_size),
      remaining_(head.content_length),
      limit_(limit),
      trailer_bytes_(trailer_bytes) {
  if (framing_ == BodyFraming::length && remaining_ > limit_) {
    refuse(Refusal::body_too_large, "The request body is larger than " + std::to_string(limit_) + " bytes.");
  }
}

BodyReader::Result BodyReader::advance(std::string& input, std::string& body) {
  std::string_view rest = input;
  while (!refused_ && place_ != Place::done) {
    const bool more = framing_ == BodyFraming::length ? read_length(rest, body) : read_chunked(rest, body);
    if (!more) break;
  }
  input.erase(0, input.size() - rest.size());
  if (refused_) return Result::refused;
  return place_ == Place::done ? Result::complete : Result::incomplete;
}

bool BodyReader::read_length(std::string_view& rest, std::string& body) {
  if (!move_bytes(rest, body)) return false;
  place_ = Place::done;
  return true;
}

/// One step through the chunks. False when more input is needed or the body was refused.
bool BodyReader::read_chunked(std::string_view& rest, std::string& body) {
  switch (place_) {
    case Place::chunk_size: {
      const std::optional<std::string_view> line = take_line(rest);
      return line && take_chunk_size(*line, body.size());
    }
    case Place::chunk_bytes:
      if (!move_bytes(rest, body)) return false;
      place_ = Place::chunk_end;
      return true;
    case Place::chunk_end: {
      if (rest.empty() || rest == "\r") return false;
      if (!rest.starts_with("\r\n")) {
        return refuse(Refusal::bad_request, "A chunk of the request body does not end with CRLF.");
      }
      rest.remove_prefix(2);
      place_ = Place::chunk_size;
      return true;
    }
    case Place::trailer: {
      const std::optional<std::string_view> line = take_line(rest);
      if (!line) return false;
      if (line->empty()) {
        place_ = Place::done;
        return true;
      }
      if (!split_field(*line))
        return refuse(Refusal::bad_request, "A trailer of the request body is not a valid header line.");
      return count_aside(line->size());
    }
    case Place::done:
      break;
  }
  return false;
}

/// True when none remain.
bool BodyReader::move_bytes(std::string_view& rest, std::string& body) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(remaining_, rest.size()));
  // A string that grows by doubling holds a large body twice, so reserve the announced size. Do this only after the
  // first bytes have arrived: an announcement alone must not cost memory.
  if (framing_ == BodyFraming::length && body.size() >= kLargeBytes)
    body.reserve(body.size() + static_cast<std::size_t>(remaining_) + kTerminatorBytes);
  body.append(rest.substr(0, count));
  rest.remove_prefix(count);
  remaining_ -= count;
  return remaining_ == 0;
}

/// The next line without its CRLF; none when it is incomplete or refused.
std::optional<std::string_view> BodyReader::take_line(std::string_view& rest) {
  const std::size_t lf = rest.substr(0, kMostLineBytes).find('\n');
  const std::string_view bytes = rest.substr(0, std::min(lf, std::min(rest.size(), kMostLineBytes)));
  if (lf == std::string_view::npos && rest.size() >= kMostLineBytes) {
    refuse(Refusal::bad_request, "A line between the chunks of the request body is too long.");
    return std::nullopt;
  }
  // A CR may only be the last byte: before the LF, or at the end of the input so far.
  const std::string_view text = bytes.ends_with('\r') ? bytes.substr(0, bytes.size() - 1) : bytes;
  if (!std::all_of(text.begin(), text.end(), is_field_char)) {
    refuse(Refusal::bad_request, "A line between the chunks of the request body has a control character.");
    return std::nullopt;
  }
  if (lf == std::string_view::npos) return std::nullopt;
  if (text.size() == bytes.size()) {
    refuse(Refusal::bad_request, "A line between the chunks of the request body ends with LF instead of CRLF.");
    return std::nullopt;
  }
  rest.remove_prefix(lf + 1);
  return text;
}

bool BodyReader::take_chunk_size(std::string_view line, std::size_t body_bytes) {
  const std::size_t digits =
      static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_hex_digit) - line.begin());
  const std::string_view extension = line.substr(digits);
  const auto parsed = std::from_chars(line.data(), line.data() + digits, remaining_, 16);
  if (digits == 0 || digits > kMostSizeDigits || parsed.ec != std::errc{} ||
      (!extension.empty() && extension.front() != ';')) {
    return refuse(Refusal::bad_request, "A chunk size of the request body is not a hexadecimal number.");
  }
  if (remaining_ > limit_ - body_bytes) {
    return refuse(Refusal::body_too_large, "The request body is larger than " + std::to_string(limit_) + " bytes.");
  }
  place_ = remaining_ == 0 ? Place::trailer : Place::chunk_bytes;
  return count_aside(extension.size());
}

bool BodyReader::count_aside(std::size_t bytes) {
  aside_bytes_ += bytes;
  return aside_bytes_ <= trailer_bytes_ ||
         refuse(Refusal::headers_too_large, "The chunk extensions and trailers of the request body are too large.");
}

bool BodyReader::refuse(Refusal refusal, std::string_view reason) {
  refused_ = Refused{refusal, std::string(reason)};
  return false;
}

}  // namespace tideover::http
