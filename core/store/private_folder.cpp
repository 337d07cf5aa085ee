#include "core/store/private_folder.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace tideover::store {

void create_private_folder(const std::filesystem::path& folder) {
  if (folder.empty() || std::filesystem::exists(folder)) return;
  create_private_folder(folder.parent_path());
  // Created with its final mode: a later chmod would leave a moment in which other users could read it.
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    throw std::system_error(errno, std::generic_category(), "cannot create the directory " + folder.string());
  }
}

}  // namespace tideover::store
