// The content of a file on disk, decompressed, as bytes that need not fit into memory: a mapped private copy without
// a name. The copy does not change if the file changes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/domain/basics/result.hpp"

namespace tideover::main {

class UnpackedFile {
 public:
  /// Copies to the folder for temporary files (TMPDIR). Error invalid_payload if the file is damaged or its
  /// compression ratio is extreme, service_unavailable if the copy cannot be created. Throws StartError if the file
  /// cannot be opened.
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
