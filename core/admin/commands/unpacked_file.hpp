// The decompressed content of a file as mapped bytes that need not fit into memory: a private copy without a name.
// Later changes of the file do not affect it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/domain/basics/result.hpp"

namespace tideover::admin {

class UnpackedFile {
 public:
  /// Copies to the directory for temporary files (TMPDIR). Error invalid_payload when the file is damaged or a
  /// decompression bomb, service_unavailable when the copy cannot be written. Throws StartError when the file cannot be
  /// opened.
  static domain::Result<UnpackedFile> of(const std::filesystem::path& path);

  UnpackedFile(UnpackedFile&& other) noexcept;
  UnpackedFile& operator=(UnpackedFile&&) = delete;
  ~UnpackedFile();

  std::string_view bytes() const { return bytes_; }

 private:
  explicit UnpackedFile(std::string_view mapped) : bytes_(mapped) {}

  std::string_view bytes_;
};

}  // namespace tideover::admin
