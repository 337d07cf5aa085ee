#include "core/http/server/head_parser.hpp"

#include <algorithm>
#include <charconv>

#include "core/http/server/grammar.hpp"

namespace tideover::http {

namespace {

constexpr std::size_t kMostMethodBytes = 32;
constexpr std::string_view kHttp10 = "HTTP/1.0";
constexpr std::string_view kHttp11 = "HTTP/1.1";
constexpr std::size_t kBesidesTarget =
    kMostMethodBytes + kHttp11.size() + 2;  // of a request line, in addition to the target

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Characters that RFC 3986 allows in a path or query, and a few more that common clients send unescaped. Never a
/// control character, blank, fragment, backslash or non-ASCII byte. A percent sign must start an escape.
bool is_target_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c <= 0x20 || c >= 0x7F || std::string_view("#\"<>\\").find(c) != std::string_view::npos) return false;
    if (c == '%' && (i + 2 >= text.size() || !is_hex_digit(text[i + 1]) || !is_hex_digit(text[i + 2]))) return false;
  }
  return true;
}

bool is_host_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~!$&'()*+;=:[]%").find(c) != std::string_view::npos;
  });
}

}  // namespace

HeadParser::Result HeadParser::advance(std::string_view input) {
  while (!complete_ && !refused_ && scanned_ < input.size()) {
    const bool after_cr = scanned_ > line_start_ && input[scanned_ - 1] == '\r';
    if (!after_cr) {
      while (scanned_ < input.size() && is_field_char(input[scanned_])) ++scanned_;
      if (scanned_ == input.size()) break;
    }
    const char c = input[scanned_];
    if (c == '\n' && after_cr) {
      const std::string_view line = input.substr(line_start_, scanned_ - line_start_ - 1);
      ++scanned_;
      if (within_limits(scanned_ - line_start_) && take_line(line)) line_start_ = scanned_;
    } else if (c == '\n') {
      refuse(Refusal::bad_request, "A line of the request head ends with LF instead of CRLF.");
    } else if (after_cr) {
      refuse(Refusal::bad_request, "The request head has a CR without LF.");
    } else if (c != '\r') {
      refuse(Refusal::bad_request, "The request head has a control character.");
    } else {
      ++scanned_;
    }
  }
  if (!complete_ && !refused_) within_limits(scanned_ - line_start_);
  if (refused_) return Result::refused;
  return complete_ ? Result::complete : Result::incomplete;
}

/// Called for each line and each partial line, so that input above a limit is not buffered.
bool HeadParser::within_limits(std::size_t pending_bytes) {
  if (fields_start_ == 0) {
    if (pending_bytes > limits_.uri_bytes + kBesidesTarget + 2) {
      return refuse(Refusal::uri_too_long,
                    "The request target is longer than " + std::to_string(limits_.uri_bytes) + " bytes.");
    }
    return true;
  }
  if (line_start_ - fields_start_ + pending_bytes > limits_.header_bytes + 2) {
    return refuse(Refusal::headers_too_large,
                  "The request headers are larger than " + std::to_string(limits_.header_bytes) + " bytes.");
  }
  return true;
}

bool HeadParser::take_line(std::string_view line) {
  if (fields_start_ == 0) {
    // RFC 9112 2.2: some clients send an extra CRLF after a body.
    if (line.empty() && !skipped_empty_line_) {
      skipped_empty_line_ = true;
      return true;
    }
    if (!take_request_line(line)) return false;
    fields_start_ = scanned_;
    return true;
  }
  if (!line.empty()) return take_field(line);
  complete_ = finish();
  return complete_;
}

bool HeadParser::take_request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  const std::string_view method = line.substr(0, std::min(first, line.size()));
  if (first == std::string_view::npos || first == last || !is_token(method) || method.size() > kMostMethodBytes) {
    return refuse(Refusal::bad_request,
                  "The request line is not valid. It must be method, target and version, separated by one blank.");
  }
  head_.request.method = method;

  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (version != kHttp11 && version != kHttp10) {
    return refuse(Refusal::bad_request, "The HTTP version is not supported. Use HTTP/1.1.");
  }
  head_.is_http_1_0 = version == kHttp10;
  return take_target(target);
}

bool HeadParser::take_target(std::string_view target) {
  if (target.size() > limits_.uri_bytes) {
    return refuse(Refusal::uri_too_long,
                  "The request target is longer than " + std::to_string(limits_.uri_bytes) + " bytes.");
  }
  if (!is_target_text(target)) {
    return refuse(Refusal::bad_request, "The request target has a character or escape that is not allowed in a URI.");
  }
  bool absolute = false;
  // RFC 9112 3.2.2: the absolute form must be accepted. The form of CONNECT is for proxies only.
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    if (!equal_ignoring_case(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::size_t authority = std::min(target.find_first_of("/?"), target.size());
    if (authority == 0 || !is_host_text(target.substr(0, authority))) {
      return refuse(Refusal::bad_request, "The request target has no valid host.");
    }
    target.remove_prefix(authority);
    absolute = true;
    break;
  }
  const std::size_t question = target.find('?');
  const std::string_view path = target.substr(0, std::min(question, target.size()));
  const bool whole_server = path == "*" && head_.request.method == "OPTIONS";
  if (path.empty() ? !absolute : path.front() != '/' && !whole_server) {
    return refuse(Refusal::bad_request, "The request target is not a path or an http or https URI.");
  }
  head_.request.path = path.empty() ? "/" : std::string(path);
  if (question != std::string_view::npos) head_.request.query = target.substr(question + 1);
  return true;
}

bool HeadParser::take_field(std::string_view line) {
  if (head_.request.headers.size() >= limits_.header_count) {
    return refuse(Refusal::headers_too_large,
                  "The request has more than " + std::to_string(limits_.header_count) + " header fields.");
  }
  const std::optional<FieldLine> field = split_field(line);
  if (!field) {
    return refuse(
        Refusal::bad_request,
        "A header line is not valid. It must be name, colon and value, without blanks in the name, before the colon "
        "or at the start of the line.");
  }
  head_.request.headers.add(std::string(field->name), std::string(field->value));
  return true;
}

bool HeadParser::finish() {
  return settle_host() && settle_connection() && settle_framing();
}

bool HeadParser::settle_host() {
  const Headers& headers = head_.request.headers;
  const std::size_t hosts = headers.count("Host");
  if (hosts > 1) return refuse(Refusal::bad_request, "The request has more than one Host header.");
  if (hosts == 0) {
    return head_.is_http_1_0 ||
           refuse(Refusal::bad_request, "The request has no Host header, which HTTP/1.1 requires.");
  }
  return is_host_text(*headers.find("Host")) ||
         refuse(Refusal::bad_request, "The Host header is not valid. It must be a host name with an optional port.");
}

bool HeadParser::settle_connection() {
  bool asks_close = false;
  bool asks_keep_alive = false;
  for (const Headers::Field& field : head_.request.headers) {
    if (equal_ignoring_case(field.name, "Expect")) {
      if (!equal_ignoring_case(field.value, "100-continue")) {
        return refuse(Refusal::bad_request, "The Expect header is not supported. Only 100-continue is.");
      }
      head_.expects_continue = !head_.is_http_1_0;
    }
    if (!equal_ignoring_case(field.name, "Connection")) continue;
    for (std::string_view rest = field.value; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view option = trim_blanks(rest.substr(0, comma));
      asks_close = asks_close || equal_ignoring_case(option, "close");
      asks_keep_alive = asks_keep_alive || equal_ignoring_case(option, "keep-alive");
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  head_.keep_alive = !asks_close && (asks_keep_alive || !head_.is_http_1_0);
  return true;
}

/// RFC 9112 6: an ambiguous end of the body allows request smuggling.
bool HeadParser::settle_framing() {
  const Headers& headers = head_.request.headers;
  const std::size_t lengths = headers.count("Content-Length");
  const std::size_t codings = headers.count("Transfer-Encoding");
  if (lengths > 1) return refuse(Refusal::bad_request, "The request has more than one Content-Length header.");
  if (lengths == 1 && codings > 0) {
    return refuse(Refusal::bad_request, "The request has both Content-Length and Transfer-Encoding.");
  }
  if (codings > 0) {
    if (head_.is_http_1_0) return refuse(Refusal::bad_request, "Transfer-Encoding is not allowed in HTTP/1.0.");
    if (codings > 1 || !equal_ignoring_case(*headers.find("Transfer-Encoding"), "chunked")) {
      return refuse(Refusal::bad_request, "The Transfer-Encoding is not supported. Send chunked, once.");
    }
    head_.framing = BodyFraming::chunked;
  }
  if (lengths == 1) {
    const std::string& digits = *headers.find("Content-Length");
    const char* const end = digits.data() + digits.size();
    if (!is_digits(digits) || std::from_chars(digits.data(), end, head_.content_length).ec != std::errc{}) {
      return refuse(Refusal::bad_request, "The Content-Length header is not a decimal number.");
    }
    head_.framing = head_.content_length > 0 ? BodyFraming::length : BodyFraming::none;
  }
  return true;
}

bool HeadParser::refuse(Refusal refusal, std::string_view reason) {
  refused_ = Refused{refusal, std::string(reason)};
  return false;
}

}  // namespace tideover::http
