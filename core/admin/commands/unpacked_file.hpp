// A file of a disk, unpacked where it is packed, as bytes that need not fit into memory: a private copy without a name,
// mapped. The copy stays as it is whatever happens to the file meanwhile.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/domain/basics/result.hpp"

namespace tideover::main {

class UnpackedFile {
 public:
  /// Copies to where temporary files go (TMPDIR). Error invalid_payload where it is broken or a bomb,
  /// service_unavailable where the copy cannot be made; throws StartError when the file cannot be opened.
  static domain::Result<UnpackedFile> of(const std::filesystem::path& path);

  UnpackedFile(UnpackedFile&& other) noexcept;
  UnpackedFile& operator=(UnpackedFile&&) = delete;
  ~UnpackedFile();

  std::string_view bytes() const { return bytes_; }

 private:
  explicit UnpackedFile(std::string_view mapped) : bytes_(mapped) {}

  std::string_view bytes_;
};

}  // namespace tideover::main
