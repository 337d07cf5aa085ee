#include "core/jobs/payload_decoder.hpp"

#include <zlib.h>
#include <zstd.h>

#include <array>
#include <string>
#include <string_view>

namespace tideover::jobs {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr std::int64_t kRatioFrom = 1 << 20;
constexpr int kGzipOnly = 15 + 16;   // zlib: the largest window, gzip header only
constexpr int kMostWindowBits = 23;  // zstd: 8 MiB, as used by its ordinary levels; a file must not demand more memory

Error too_large(std::int64_t limit) {
  return Error::of(ErrorCode::payload_too_large,
                   "The decompressed payload exceeds the limit of one request. Split the file.")
      .with("max_bytes", std::to_string(limit));
}

class PlainSource final : public ports::ByteSource {
 public:
  PlainSource(ports::ByteSource& raw, PayloadLimits limits) : raw_(raw), limits_(limits) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    auto n = raw_.read(into, capacity);
    if (n && (total_ += static_cast<std::int64_t>(*n)) > limits_.inflated_bytes)
      return too_large(limits_.inflated_bytes);
    return n;
  }

 private:
  ports::ByteSource& raw_;
  PayloadLimits limits_;
  std::int64_t total_ = 0;
};

/// Decompresses a payload within the limits. A file may be several compressed files in sequence.
class UnpackedSource : public ports::ByteSource {
 public:
  domain::Result<std::size_t> read(char* into, std::size_t capacity) final {
    if (ended_ || capacity == 0) return std::size_t{0};
    std::size_t given = 0;
    while (given == 0 && !ended_) {
      const auto unpacked = unpack(into, capacity);
      if (!unpacked) return unpacked.error();
      given = *unpacked;
    }
    given_ += static_cast<std::int64_t>(given);
    if (given_ > limits_.inflated_bytes) return too_large(limits_.inflated_bytes);
    if (given_ > kRatioFrom && given_ > taken_ * limits_.ratio)
      return Error::of(ErrorCode::payload_too_large,
                       "The payload decompresses to more than " + std::to_string(limits_.ratio) + " times its size.");
    return given;
  }

 protected:
  UnpackedSource(ports::ByteSource& raw, PayloadLimits limits, const char* coding)
      : raw_(raw), limits_(limits), coding_(coding) {}

  /// Reads compressed bytes and returns bytes, perhaps none yet; `end` after the last.
  virtual domain::Result<std::size_t> unpack(char* into, std::size_t capacity) = 0;

  /// The next compressed bytes; empty after the last.
  domain::Result<std::string_view> more() {
    const auto n = raw_.read(input_.data(), input_.size());
    if (!n) return n.error();
    taken_ += static_cast<std::int64_t>(*n);
    return std::string_view(input_.data(), *n);
  }
  void end() { ended_ = true; }
  Error broken(const std::string& why) const {
    return Error::of(ErrorCode::invalid_payload,
                     std::string("The payload is not a valid ") + coding_ + " file: " + why + ".");
  }
  static Error no_memory() {
    return Error::of(ErrorCode::service_unavailable, "Not enough memory to decompress the payload. Retry later.")
        .retry_after(5);
  }

 private:
  ports::ByteSource& raw_;
  const PayloadLimits limits_;
  const char* const coding_;
  std::array<char, std::size_t{64} * 1024> input_{};
  std::int64_t taken_ = 0;
  std::int64_t given_ = 0;
  bool ended_ = false;
};

class GzipSource final : public UnpackedSource {
 public:
  GzipSource(ports::ByteSource& raw, PayloadLimits limits) : UnpackedSource(raw, limits, "gzip") {
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  std::size_t undecoded() const override { return stream_.avail_in; }

 private:
  domain::Result<std::size_t> unpack(char* into, std::size_t capacity) override {
    if (!ready_) return no_memory();
    if (stream_.avail_in == 0) {
      const auto input = more();
      if (!input) return input.error();
      if (input->empty()) {
        if (!between_members_) return broken("it is truncated");
        end();
        return std::size_t{0};
      }
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input->data()));
      stream_.avail_in = static_cast<uInt>(input->size());
    }
    // Members may follow each other (RFC 1952 section 2.2); data after the last member must be another member.
    if (between_members_ && inflateReset(&stream_) != Z_OK) return broken("its data is damaged");
    between_members_ = false;
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(capacity);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) return broken(stream_.msg ? stream_.msg : "its data is damaged");
    between_members_ = result == Z_STREAM_END;
    return capacity - stream_.avail_out;
  }

  z_stream stream_{};
  bool ready_ = false;
  bool between_members_ = false;
};

class ZstdSource final : public UnpackedSource {
 public:
  ZstdSource(ports::ByteSource& raw, PayloadLimits limits)
      : UnpackedSource(raw, limits, "zstd"), stream_(ZSTD_createDStream()) {
    if (stream_) ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kMostWindowBits);
  }
  std::size_t undecoded() const override { return packed_.size - packed_.pos; }

 private:
  domain::Result<std::size_t> unpack(char* into, std::size_t capacity) override {
    if (!stream_) return no_memory();
    if (packed_.pos == packed_.size && !holds_more_) {
      const auto input = more();
      if (!input) return input.error();
      if (input->empty()) {
        if (!between_frames_) return broken("it is truncated");
        end();
        return std::size_t{0};
      }
      packed_ = {input->data(), input->size(), 0};
    }
    ZSTD_outBuffer output{into, capacity, 0};
    const auto left = ZSTD_decompressStream(stream_.get(), &output, &packed_);
    if (ZSTD_isError(left)) return broken(ZSTD_getErrorName(left));
    between_frames_ = left == 0;
    holds_more_ = left != 0 && output.pos == output.size;
    return output.pos;
  }

  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  ZSTD_inBuffer packed_{};
  bool between_frames_ = false;
  bool holds_more_ = false;  // there is more output than fitted into the last bytes
};

}  // namespace

domain::Result<std::unique_ptr<ports::ByteSource>> PayloadDecoder::decode(std::string_view encoding,
                                                                          ports::ByteSource& raw) {
  std::unique_ptr<ports::ByteSource> source;
  if (encoding == "gzip")
    source = std::make_unique<GzipSource>(raw, limits_);
  else if (encoding == "zstd")
    source = std::make_unique<ZstdSource>(raw, limits_);
  else if (encoding == "none")
    source = std::make_unique<PlainSource>(raw, limits_);
  else
    return Error::of(ErrorCode::validation_error, "encoding must be gzip, zstd or none.");
  return source;
}

}  // namespace tideover::jobs
