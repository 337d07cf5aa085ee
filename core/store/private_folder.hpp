// Creates the folder of an embedded database, readable only by its owner.
#pragma once
#include <filesystem>

namespace tideover::store {

/// Creates `folder` and missing parent folders with mode 0700, and leaves existing ones as they are. Throws
/// std::system_error with the name of the folder.
void create_private_folder(const std::filesystem::path& folder);

}  // namespace tideover::store
