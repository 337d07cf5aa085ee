#include "core/http/gzip.hpp"

#include <Poco/DeflatingStream.h>
#include <Poco/InflatingStream.h>
#include <Poco/MemoryStream.h>
#include <Poco/StreamCopier.h>

#include <sstream>

#include "core/http/media_type.hpp"

namespace tideover::http {
namespace {

constexpr std::size_t kLeastBytes = 1024;
/// Of 1 to 9: the worker that compresses handles no other request meanwhile.
constexpr int kLevel = 1;

bool is_text(std::string_view content_type) {
  const auto type = content_type.substr(0, content_type.find(';'));
  return type.starts_with("text/") || type == "application/json" || type == "application/problem+json" ||
         type == "application/x-ndjson" || type == "application/yaml";
}

bool may_compress(const Response& response) {
  const auto* type = response.headers.find("Content-Type");
  return type && is_text(*type) && response.body.size() >= kLeastBytes && !response.headers.find("ETag") &&
         !response.headers.find("Content-Encoding");
}

}  // namespace

void compress(const Request& request, Response& response) {
  if (!may_compress(response)) return;
  response.headers.add("Vary", "Accept-Encoding");
  if (!accepts_gzip(request.headers.find("Accept-Encoding"))) return;
  response.body = gzip(response.body);
  response.headers.add("Content-Encoding", "gzip");
}

std::string gzip(std::string_view content) {
  std::ostringstream packed;
  Poco::DeflatingOutputStream stream(packed, Poco::DeflatingStreamBuf::STREAM_GZIP, kLevel);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  return std::move(packed).str();
}

std::string gunzip(std::string_view packed) {
  Poco::MemoryInputStream input(packed.data(), static_cast<std::streamsize>(packed.size()));
  Poco::InflatingInputStream stream(input, Poco::InflatingStreamBuf::STREAM_GZIP);
  std::string content;
  Poco::StreamCopier::copyToString(stream, content);
  return content;
}

}  // namespace tideover::http
