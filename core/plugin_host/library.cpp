#include "core/plugin_host/library.hpp"

#include <Poco/Exception.h>
#include <Poco/SharedLibrary.h>
#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "api/plugin/tideover/plugin.h"
#include "core/crypto/encoding.hpp"
#include "core/crypto/sha256.hpp"

namespace tideover::plugin_host {
namespace {

namespace fs = std::filesystem;
using domain::Error;
using domain::ErrorCode;
using domain::Result;

Error refuse(const std::string& path, const std::string& problem) {
  return Error::of(ErrorCode::validation_error, "plugin " + path + " " + problem);
}

Result<std::string> read_file(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    return refuse(path, std::string("cannot be read: ") + std::strerror(errno) +
                            "; correct its `path`, or remove it from the configuration");
  if (!S_ISREG(info.st_mode)) return refuse(path, "is no regular file; name the .so file itself");
  if ((info.st_mode & S_IWOTH) != 0)
    return refuse(path, "may be written by everyone, so anyone could put code into this service; run chmod o-w on it");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  if (!file) return refuse(path, "cannot be read; check its permissions");
  return std::move(bytes).str();
}

/// A folder of our own that disappears with this object; mapped files stay mapped.
class PrivateFolder {
 public:
  explicit PrivateFolder(const fs::path& where) : path_((where / "tideover-plugin-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();  // mode 0700
  }
  ~PrivateFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Result<Library> load_library(const std::string& path) {
  auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  std::error_code no_such_folder;
  const fs::path temporary = fs::temp_directory_path(no_such_folder);
  if (no_such_folder) return refuse(path, "cannot be copied: TMPDIR names no folder; correct or unset it");
  const PrivateFolder folder(temporary);
  const std::string copy = folder.path() + "/" + fs::path(path).filename().string();
  {
    std::ofstream file(copy, std::ios::binary);
    file << *bytes;
    file.flush();
    if (folder.path().empty() || !file)
      return refuse(path, "cannot be copied to a private folder under " + temporary.string() +
                              "; make room there or set TMPDIR");
  }
  // Poco binds lazily, and a missing function would then end the process in its first call: bind everything first. This
  // handle is never closed either.
  if (::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    const char* reason = ::dlerror();
    return refuse(path, std::string("is no loadable shared library: ") + (reason ? reason : "unknown reason") +
                            "; build it for this system with -Wl,-z,defs");
  }
  // Poco's destructor leaves the library mapped.
  Poco::SharedLibrary library;
  try {
    library.load(copy, Poco::SharedLibrary::SHLIB_LOCAL);
  } catch (const Poco::Exception& error) {
    return refuse(path, "is no loadable shared library: " + error.displayText());
  }
  if (!library.hasSymbol(TIDEOVER_PLUGIN_SYMBOL))
    return refuse(path, "does not export the symbol `" TIDEOVER_PLUGIN_SYMBOL
                        "`; end it with TIDEOVER_EXPORT_PLUGIN(...) and keep the symbol visible");
  const auto* descriptor = static_cast<const tideover_plugin_descriptor*>(library.getSymbol(TIDEOVER_PLUGIN_SYMBOL));
  return Library{descriptor, crypto::hex_encode(crypto::sha256(*bytes))};
}

}  // namespace tideover::plugin_host
