// The folder of an embedded database: what is stored is nobody else's to read.
#pragma once
#include <filesystem>

namespace tideover::store {

/// Creates `folder` and what is missing above it with mode 0700; leaves what exists as it is.
/// Throws std::system_error naming the folder.
void create_private_folder(const std::filesystem::path& folder);

}  // namespace tideover::store
