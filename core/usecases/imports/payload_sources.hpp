// The bytes of an import as a stream: the stored payload, and how far it was read.
//
// Threads: used by the one worker of a job.
#pragma once
#include <algorithm>
#include <cstring>
#include <optional>

#include "core/ports/plugins/import_format.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

/// The stored payload as one stream.
class PieceSource final : public ports::ByteSource {
 public:
  PieceSource(ports::Store& store, domain::TenantId tenant, domain::ImportJobId job)
      : store_(store), tenant_(std::move(tenant)), job_(std::move(job)) {}

  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    while (at_ == piece_.size()) {
      if (ended_) return std::size_t{0};
      auto next =
          fetch(store_, [&](const ports::Records& records) { return records.imports().piece(tenant_, job_, number_); });
      if (!next) return next.error();
      ended_ = !*next;
      piece_ = std::move(*next).value_or("");
      at_ = 0;
      ++number_;
    }
    const std::size_t n = std::min(capacity, piece_.size() - at_);
    std::memcpy(into, piece_.data() + at_, n);
    at_ += n;
    return n;
  }

 private:
  ports::Store& store_;
  domain::TenantId tenant_;
  domain::ImportJobId job_;
  std::string piece_;
  std::size_t at_ = 0;
  int number_ = 0;
  bool ended_ = false;
};

/// Counts the bytes that were taken from the source.
class CountedSource final : public ports::ByteSource {
 public:
  explicit CountedSource(ports::ByteSource& raw) : raw_(raw) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    auto n = raw_.read(into, capacity);
    if (n) taken_ += static_cast<std::int64_t>(*n);
    return n;
  }
  std::int64_t taken() const { return taken_; }

 private:
  ports::ByteSource& raw_;
  std::int64_t taken_ = 0;
};

/// How far a file was read, in bytes of its payload. Decoder and format read ahead of the rows, a small file at once,
/// so the bytes that were taken say too much.
class ReadPosition {
 public:
  /// `payload`: the source of `decoder`. All must outlive this object.
  ReadPosition(const CountedSource& payload, ports::ByteSource& decoder)
      : payload_(payload), decoder_(decoder), decoded_(decoder) {}
  /// What the format reads.
  ports::ByteSource& decoded() { return decoded_; }
  /// The position of this offset of the decoded file; of all that was decoded when the offset is unknown.
  std::int64_t of(std::optional<std::int64_t> offset) const {
    const auto used = payload_.taken() - static_cast<std::int64_t>(decoder_.undecoded());
    const auto decoded = decoded_.taken();
    if (!offset || *offset < 0 || *offset >= decoded) return used;
    return static_cast<std::int64_t>(static_cast<double>(used) * static_cast<double>(*offset) /
                                     static_cast<double>(decoded));
  }

 private:
  const CountedSource& payload_;
  const ports::ByteSource& decoder_;
  CountedSource decoded_;
};

}  // namespace tideover::usecases
