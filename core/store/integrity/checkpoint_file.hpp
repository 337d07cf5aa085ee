// Checkpoints in a file next to the database, one signed line each, append-only:
//
//   tideover-checkpoint-1 <time> (<table> <chain> <position> <hash, hex>)… sig=<Ed25519 over all before " sig=", hex>
//
// A line `tideover-restored-1` makes the lines before it void. Copy the file to another machine as it grows: an
// intruder with the database, this file and the key ring could rewrite all three.
#pragma once
#include <filesystem>
#include <mutex>

#include "core/crypto/signing_key.hpp"
#include "core/ports/checkpoints.hpp"

namespace tideover::store {

class CheckpointFile final : public ports::Checkpoints {
 public:
  /// The first checkpoint creates the file (mode 0600); its folder must exist.
  CheckpointFile(std::filesystem::path file, crypto::SigningKey key) : file_(std::move(file)), key_(std::move(key)) {}

  domain::Status append(const ports::Checkpoint& checkpoint) override;
  domain::Result<ports::CheckpointTrail> trail(std::string_view table) const override;
  const crypto::SigningKey& key() const { return key_; }

 private:
  const std::filesystem::path file_;
  const crypto::SigningKey key_;
  std::mutex appending_;
};

}  // namespace tideover::store
