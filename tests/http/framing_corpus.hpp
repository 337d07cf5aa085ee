// Requests whose framing must be refused, each with the refusal it must get. Used against the readers alone and against
// a served socket. Every one is well-formed but for the fault that its name tells.
#pragma once

#include <string>
#include <vector>

#include "core/http/server/refusal.hpp"

namespace tideover::test {

struct BadRequest {
  std::string name;
  std::string bytes;
  http::Refusal refusal;
};

namespace framing {

using Requests = std::vector<BadRequest>;

inline const std::string nul(1, '\0');

inline std::string head(const std::string& line, const std::string& fields) {
  return line + "\r\nHost: h\r\n" + fields + "\r\n";
}
inline std::string get(const std::string& fields) {
  return head("GET / HTTP/1.1", fields);
}
inline std::string post(const std::string& fields, const std::string& body) {
  return head("POST / HTTP/1.1", fields) + body;
}
inline std::string chunked(const std::string& body) {
  return post("Transfer-Encoding: chunked\r\n", body);
}

inline auto adder(Requests& all) {
  return [&all](const std::string& name, const std::string& bytes) {
    all.push_back({name, bytes, http::Refusal::bad_request});
  };
}

/// Two answers to where the body ends.
inline void add_lengths(Requests& all) {
  const auto bad = adder(all);
  bad("length and coding", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"));
  bad("coding and length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"));
  bad("two different lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"));
  bad("two equal lengths", post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"));
  bad("length list", post("Content-Length: 5, 5\r\n", "hello"));
  bad("length with plus", post("Content-Length: +5\r\n", "hello"));
  bad("length with minus", post("Content-Length: -5\r\n", "hello"));
  bad("empty length", post("Content-Length:\r\n", "hello"));
  bad("blank length", post("Content-Length:  \t\r\n", "hello"));
  bad("hex length", post("Content-Length: 0x5\r\n", "hello"));
  bad("length with letter", post("Content-Length: 5a\r\n", "hello"));
  bad("length with decimals", post("Content-Length: 5.0\r\n", "hello"));
  bad("length with a blank inside", post("Content-Length: 1 2\r\n", "hello"));
  bad("length above 64 bits", post("Content-Length: 18446744073709551616\r\n", "hello"));
  bad("length of 100 digits", post("Content-Length: " + std::string(100, '9') + "\r\n", "hello"));
  bad("two codings headers", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"));
  bad("coding list", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"));
  bad("chunked twice", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"));
  bad("chunked not last", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"));
  bad("unknown coding", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"));
  bad("identity coding", post("Transfer-Encoding: identity\r\n", ""));
  bad("empty coding", post("Transfer-Encoding:\r\n", ""));
  bad("quoted coding", post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"));
  bad("coding with vertical tab", post("Transfer-Encoding: \x0B"
                                       "chunked\r\n",
                                       "0\r\n\r\n"));
  bad("coding with parameter", post("Transfer-Encoding: chunked;x=1\r\n", "0\r\n\r\n"));
  bad("coding under HTTP/1.0", head("POST / HTTP/1.0", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n");
}

inline void add_headers(Requests& all) {
  const auto bad = adder(all);
  bad("blank before the colon", post("Content-Length : 5\r\n", "hello"));
  bad("tab before the colon", post("Transfer-Encoding\t: chunked\r\n", "0\r\n\r\n"));
  bad("blank in a name", get("X Y: 1\r\n"));
  bad("no colon", get("nonsense\r\n"));
  bad("empty name", get(": value\r\n"));
  bad("folded line", get("X: a\r\n b\r\n"));
  bad("folded first line", "GET / HTTP/1.1\r\n Host: h\r\n\r\n");
  bad("folded with tab", post("Transfer-Encoding:\r\n\tchunked\r\n", "0\r\n\r\n"));
  bad("NUL in a name", get("X" + nul + "Y: 1\r\n"));
  bad("NUL in a value", get("X: a" + nul + "b\r\n"));
  bad("escape in a value", get("X: a\x1b[0m\r\n"));
  bad("delete in a value", get("X: a\x7f\r\n"));
  bad("letter beyond ASCII in a name", get("X\xc3\xa9: 1\r\n"));
  bad("parenthesis in a name", get("X(1): 1\r\n"));
  bad("CR in a value", get("X: a\rContent-Length: 5\r\n"));
  bad("CR CR LF", "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n");
  bad("LF line ends", "GET / HTTP/1.1\nHost: h\n\n");
  bad("LF after the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n");
  bad("LF after a header", "GET / HTTP/1.1\r\nHost: h\n\r\n");
  bad("LF as the last line", "GET / HTTP/1.1\r\nHost: h\r\n\n");
  bad("Expect of something else", post("Expect: 200-maybe\r\nContent-Length: 1\r\n", "x"));

  // Host.
  bad("no Host", "GET / HTTP/1.1\r\nX: 1\r\n\r\n");
  bad("no header at all", "GET / HTTP/1.1\r\n\r\n");
  bad("two Hosts", get("Host: h\r\n"));
  bad("two different Hosts", get("Host: other\r\n"));
  bad("two Hosts under HTTP/1.0", head("GET / HTTP/1.0", "Host: h\r\n"));
  bad("path in Host", "GET / HTTP/1.1\r\nHost: h/x\r\n\r\n");
  bad("user in Host", "GET / HTTP/1.1\r\nHost: u@h\r\n\r\n");
  bad("list in Host", "GET / HTTP/1.1\r\nHost: a,b\r\n\r\n");
  bad("blank in Host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n");
}

inline void add_request_lines(Requests& all) {
  const auto bad = adder(all);
  bad("HTTP/9.9", head("GET / HTTP/9.9", ""));
  bad("HTTP/2.0", head("GET / HTTP/2.0", ""));
  bad("HTTP/1.2", head("GET / HTTP/1.2", ""));
  bad("HTTP/1.10", head("GET / HTTP/1.10", ""));
  bad("HTTP/1", head("GET / HTTP/1", ""));
  bad("small letters in version", head("GET / http/1.1", ""));
  bad("HTTP/0.9", "GET /\r\n\r\n");
  bad("no version", head("GET / ", ""));
  bad("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  bad("two blanks after the method", head("GET  / HTTP/1.1", ""));
  bad("two blanks before the version", head("GET /  HTTP/1.1", ""));
  bad("blank at the start", head(" GET / HTTP/1.1", ""));
  bad("blank at the end", head("GET / HTTP/1.1 ", ""));
  bad("tabs as blanks", head("GET\t/\tHTTP/1.1", ""));
  bad("blank in the target", head("GET /a b HTTP/1.1", ""));
  bad("no method", head(" / HTTP/1.1", ""));
  bad("method with a colon", head("GE:T / HTTP/1.1", ""));
  bad("method of 33 letters", head(std::string(33, 'M') + " / HTTP/1.1", ""));
  bad("two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n");
  bad("NUL in the path", head("GET /a" + nul + "b HTTP/1.1", ""));
  bad("raw UTF-8 in the path", head("GET /caf\xc3\xa9 HTTP/1.1", ""));
  bad("fragment", head("GET /a#b HTTP/1.1", ""));
  bad("backslash", head("GET /a\\b HTTP/1.1", ""));
  bad("half an escape", head("GET /a%2 HTTP/1.1", ""));
  bad("escape that is not hex", head("GET /a%zz HTTP/1.1", ""));
  bad("relative path", head("GET a/b HTTP/1.1", ""));
  bad("star for GET", head("GET * HTTP/1.1", ""));
  bad("authority form", head("CONNECT h:443 HTTP/1.1", ""));
  bad("other scheme", head("GET ftp://h/ HTTP/1.1", ""));
  bad("absolute form without host", head("GET http:///x HTTP/1.1", ""));
  bad("absolute form with user", head("GET http://u@h/x HTTP/1.1", ""));
  bad("query only", head("GET ?a=b HTTP/1.1", ""));
  bad("TLS hello", "\x16\x03\x01\x02" + nul + "\x01" + nul + nul + "\xfc\x03\x03");
  bad("binary", "\x80\x2e\x01\x03\x01");
}

/// Every one of these, read leniently, ends the body early or late.
inline void add_chunks(Requests& all) {
  const auto bad = adder(all);
  bad("chunk size that is not hex", chunked("xyz\r\nhello\r\n0\r\n\r\n"));
  bad("empty chunk size", chunked("\r\nhello\r\n0\r\n\r\n"));
  bad("negative chunk size", chunked("-5\r\nhello\r\n0\r\n\r\n"));
  bad("chunk size with plus", chunked("+5\r\nhello\r\n0\r\n\r\n"));
  bad("chunk size with 0x", chunked("0x5\r\nhello\r\n0\r\n\r\n"));
  bad("chunk size with underscore", chunked("0_5\r\nhello\r\n0\r\n\r\n"));
  bad("blank before the chunk size", chunked(" 5\r\nhello\r\n0\r\n\r\n"));
  bad("blank after the chunk size", chunked("5 \r\nhello\r\n0\r\n\r\n"));
  bad("chunk size above 64 bits", chunked("10000000000000005\r\nhello\r\n0\r\n\r\n"));
  bad("chunk size of 17 zeros", chunked(std::string(17, '0') + "\r\n\r\n"));
  bad("chunk without CRLF", chunked("5\r\nhello0\r\n\r\n"));
  bad("chunk longer than its size", chunked("5\r\nhello!\r\n0\r\n\r\n"));
  bad("chunk ended by LF", chunked("5\r\nhello\n0\r\n\r\n"));
  bad("chunk ended by CR and a letter", chunked("5\r\nhello\rX0\r\n\r\n"));
  bad("chunk size ended by LF", chunked("5\nhello\r\n0\r\n\r\n"));
  bad("LF in a chunk extension", chunked("5;a\nb\r\nhello\r\n0\r\n\r\n"));
  bad("CR in a chunk extension", chunked("5;a\rb\r\nhello\r\n0\r\n\r\n"));
  bad("NUL in a chunk extension", chunked("5;a" + nul + "\r\nhello\r\n0\r\n\r\n"));
  bad("last chunk ended by LF", chunked("0\n\r\n"));
  bad("trailers ended by LF", chunked("0\r\n\n"));
  bad("trailer without colon", chunked("0\r\nnonsense\r\n\r\n"));
  bad("trailer with blank before the colon", chunked("0\r\nX : 1\r\n\r\n"));
  bad("folded trailer", chunked("0\r\nX: 1\r\n y\r\n\r\n"));
  bad("chunk line of 2000 bytes", chunked("5;" + std::string(2'000, 'e') + "\r\nhello\r\n0\r\n\r\n"));
}

/// The limits behind the size faults: URI 8 KiB, headers 16 KiB and 100 fields, body 1024 bytes.
inline void add_oversized(Requests& all) {
  using http::Refusal;
  const std::string fields_101 = [] {
    std::string fields;
    for (int i = 0; i < 100; ++i) fields += "X: 1\r\n";
    return fields;
  }();
  std::string many_extensions;
  for (int i = 0; i < 40; ++i) many_extensions += "1;" + std::string(500, 'e') + "\r\nx\r\n";
  all.push_back(
      {"target of 8193 bytes", head("GET /" + std::string(8'192, 'a') + " HTTP/1.1", ""), Refusal::uri_too_long});
  all.push_back(
      {"query of 8192 bytes", head("GET /?" + std::string(8'192, 'a') + " HTTP/1.1", ""), Refusal::uri_too_long});
  all.push_back({"endless target", "GET /" + std::string(20'000, 'a'), Refusal::uri_too_long});
  all.push_back({"101 fields", get(fields_101), Refusal::headers_too_large});
  all.push_back(
      {"one header above the limit", get("X: " + std::string(16 * 1024, 'a') + "\r\n"), Refusal::headers_too_large});
  all.push_back(
      {"endless header", "GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(20'000, 'a'), Refusal::headers_too_large});
  all.push_back({"length above the limit", post("Content-Length: 1025\r\n", ""), Refusal::body_too_large});
  all.push_back({"length of 2^64 - 1", post("Content-Length: 18446744073709551615\r\n", ""), Refusal::body_too_large});
  all.push_back({"chunk above the limit", chunked("401\r\n"), Refusal::body_too_large});
  all.push_back({"chunk of 2^64 - 1", chunked("FFFFFFFFFFFFFFFF\r\n"), Refusal::body_too_large});
  all.push_back(
      {"chunks above the limit", chunked("400\r\n" + std::string(1'024, 'x') + "\r\n1\r\n"), Refusal::body_too_large});
  all.push_back({"extensions above the limit", chunked(many_extensions), Refusal::headers_too_large});
}

}  // namespace framing

inline std::vector<BadRequest> bad_requests() {
  std::vector<BadRequest> all;
  framing::add_lengths(all);
  framing::add_headers(all);
  framing::add_request_lines(all);
  framing::add_chunks(all);
  framing::add_oversized(all);
  return all;
}

}  // namespace tideover::test
