// The directory of an embedded database, which only its owner can read.
#pragma once
#include <filesystem>

namespace tideover::store {

/// Creates `folder` and missing parents with mode 0700; existing ones are not changed. Throws std::system_error with
/// the path.
void create_private_folder(const std::filesystem::path& folder);

}  // namespace tideover::store
