#include "core/jobs/payload_decoder.hpp"

#include <zlib.h>

#include <array>
#include <string>

namespace tideover::jobs {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr std::int64_t kRatioFrom = 1 << 20;
constexpr int kGzipOnly = 15 + 16;  // zlib: the largest window, a gzip header and nothing else

Error too_large(std::int64_t limit) {
  return Error::of(ErrorCode::payload_too_large, "The payload grows beyond what one request may carry; split the file.")
      .with("max_bytes", std::to_string(limit));
}

class PlainSource final : public ports::ByteSource {
 public:
  PlainSource(ports::ByteSource& raw, PayloadLimits limits) : raw_(raw), limits_(limits) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    auto n = raw_.read(into, capacity);
    if (n && (total_ += static_cast<std::int64_t>(*n)) > limits_.inflated_bytes) return too_large(limits_.inflated_bytes);
    return n;
  }

 private:
  ports::ByteSource& raw_;
  PayloadLimits limits_;
  std::int64_t total_ = 0;
};

class GzipSource final : public ports::ByteSource {
 public:
  GzipSource(ports::ByteSource& raw, PayloadLimits limits) : raw_(raw), limits_(limits) {
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    if (!ready_) return Error::of(ErrorCode::service_unavailable, "There is no memory to unpack the payload; send it again later.").retry_after(5);
    if (ended_ || capacity == 0) return std::size_t{0};
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(capacity);
    while (stream_.avail_out == capacity) {
      if (stream_.avail_in == 0) {
        const auto n = raw_.read(input_.data(), input_.size());
        if (!n) return n.error();
        if (*n == 0) return broken("it is cut off");
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(*n);
        taken_ += static_cast<std::int64_t>(*n);
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        if (auto more = next_member(); !more) return more.error();
        if (ended_) break;
        continue;
      }
      if (result != Z_OK) return broken(stream_.msg ? stream_.msg : "its data is damaged");
    }
    const std::size_t given = capacity - stream_.avail_out;
    given_ += static_cast<std::int64_t>(given);
    if (given_ > limits_.inflated_bytes) return too_large(limits_.inflated_bytes);
    if (given_ > kRatioFrom && given_ > taken_ * limits_.ratio)
      return Error::of(ErrorCode::payload_too_large, "The payload unpacks to more than " + std::to_string(limits_.ratio) + " times its size.");
    return given;
  }

 private:
  static Error broken(const std::string& why) {
    return Error::of(ErrorCode::invalid_payload, "The payload is not a sound gzip file: " + why + ".");
  }

  /// A gzip file may be several members one after another (RFC 1952 section 2.2); what follows the last must be one too.
  domain::Status next_member() {
    if (stream_.avail_in == 0) {
      const auto n = raw_.read(input_.data(), input_.size());
      if (!n) return n.error();
      if (*n == 0) {
        ended_ = true;
        return {};
      }
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
      stream_.avail_in = static_cast<uInt>(*n);
      taken_ += static_cast<std::int64_t>(*n);
    }
    return inflateReset(&stream_) == Z_OK ? domain::Status{} : domain::Status(broken("its data is damaged"));
  }

  ports::ByteSource& raw_;
  PayloadLimits limits_;
  z_stream stream_{};
  std::array<char, 64 * 1024> input_{};
  std::int64_t taken_ = 0;
  std::int64_t given_ = 0;
  bool ready_ = false;
  bool ended_ = false;
};

}  // namespace

domain::Result<std::unique_ptr<ports::ByteSource>> PayloadDecoder::decode(std::string_view encoding, ports::ByteSource& raw) {
  std::unique_ptr<ports::ByteSource> source;
  if (encoding == "gzip")
    source = std::make_unique<GzipSource>(raw, limits_);
  else if (encoding == "none")
    source = std::make_unique<PlainSource>(raw, limits_);
  else
    return Error::of(ErrorCode::validation_error, "encoding must be gzip or none.");
  return source;
}

}  // namespace tideover::jobs
