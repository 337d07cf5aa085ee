#include "core/plugin_host/calls/library.hpp"

#include <Poco/Exception.h>
#include <Poco/SharedLibrary.h>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>

#include "api/plugin/tideover/plugin.h"
#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/plugin_host/calls/crash_note.hpp"

namespace tideover::plugin_host {
namespace {

namespace fs = std::filesystem;
using domain::Error;
using domain::ErrorCode;
using domain::Result;

Error refuse(const std::string& path, const std::string& problem) {
  return Error::of(ErrorCode::validation_error, "plugin " + path + " " + problem);
}

/// A group with the number of its only member is private; many systems create one per user.
bool is_open_to_group(const struct stat& info) {
  return (info.st_mode & S_IWGRP) != 0 && (info.st_gid != info.st_uid || info.st_gid == 0);
}

Result<std::string> read_file(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0)
    return refuse(path, std::string("cannot be read: ") + std::strerror(errno) +
                            "; correct its `path`, or remove it from the configuration");
  if (!S_ISREG(info.st_mode)) return refuse(path, "is not a regular file; give the path of the .so file");
  if ((info.st_mode & S_IWOTH) != 0)
    return refuse(path, "is writable by all users, so any user could put code into this service; run chmod o-w on it");
  if (is_open_to_group(info))
    return refuse(path, "is writable by its group, which could put code into this service; run chmod g-w on it");
  std::error_code unknown;
  for (const auto& folder : {fs::absolute(path, unknown).parent_path(), fs::canonical(path, unknown).parent_path()}) {
    struct stat around {};
    if (::stat(folder.c_str(), &around) != 0 || (around.st_mode & S_ISVTX) != 0)
      continue;  // in a sticky directory only owners replace files
    if ((around.st_mode & S_IWOTH) != 0 || is_open_to_group(around))
      return refuse(
          path, "is in " + folder.string() + ", where other users may replace it; run chmod go-w on that directory");
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file) bytes << file.rdbuf();
  if (!file) return refuse(path, "cannot be read; check its permissions");
  return std::move(bytes).str();
}

/// Length of the file by its own headers. The loader maps what the headers describe without checking the length of the
/// file, and a missing page then ends the process with SIGBUS. 0 when the headers are not of this system: the loader
/// reports that itself.
std::uint64_t length_by_headers(std::string_view bytes) {
  Elf64_Ehdr header{};
  if (bytes.size() < sizeof header) return bytes.starts_with(std::string_view(ELFMAG, SELFMAG)) ? sizeof header : 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return 0;
  constexpr std::uint64_t kLongest = std::numeric_limits<std::uint64_t>::max();
  const auto end_of = [](std::uint64_t offset, std::uint64_t size) {
    return offset > kLongest - size ? kLongest : offset + size;
  };
  const std::uint64_t programs = std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  std::uint64_t length = std::max(end_of(header.e_phoff, programs),
                                  end_of(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize));
  if (end_of(header.e_phoff, programs) > bytes.size() || header.e_phentsize != sizeof(Elf64_Phdr)) return length;
  for (std::uint64_t at = header.e_phoff; at < header.e_phoff + programs; at += sizeof(Elf64_Phdr)) {
    Elf64_Phdr segment{};
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    length = std::max(length, end_of(segment.p_offset, segment.p_filesz));
  }
  return length;
}

/// The bytes as a file in memory with the library's own name: exactly the checked bytes are loaded, and no directory
/// must allow execution. It stays open until the process ends, since the loader takes a known path for the same
/// library.
int in_memory(const std::string& name, std::string_view bytes) {
  const int file = ::memfd_create(name.c_str(), MFD_CLOEXEC);
  while (file >= 0 && !bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      ::close(file);
      return -1;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return file;
}

}  // namespace

Result<Library> load_library(const std::string& path) {
  auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  if (const auto length = length_by_headers(*bytes); length > bytes->size())
    return refuse(path, "is truncated: it has " + std::to_string(bytes->size()) + " bytes, its headers say " +
                            std::to_string(length) + "; install it again");
  const int file = in_memory(fs::path(path).filename().string(), *bytes);
  if (file < 0) return refuse(path, std::string("cannot be copied into memory: ") + std::strerror(errno));
  const std::string copy = "/proc/self/fd/" + std::to_string(file);
  // Poco binds lazily, so a missing function would end the process at its first call: bind everything here first. This
  // handle is never closed either.
  void* const handle = ::dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = ::dlerror();
    return refuse(path, std::string("is not a loadable shared library: ") + (reason ? reason : "unknown reason") +
                            "; build it for this system with -Wl,-z,defs");
  }
  note_code_of(path, handle);
  // Poco's destructor does not unload the library.
  Poco::SharedLibrary library;
  try {
    library.load(copy, Poco::SharedLibrary::SHLIB_LOCAL);
  } catch (const Poco::Exception& error) {
    return refuse(path, "is not a loadable shared library: " + error.displayText());
  }
  if (!library.hasSymbol(TIDEOVER_PLUGIN_SYMBOL))
    return refuse(path, "does not export the symbol `" TIDEOVER_PLUGIN_SYMBOL
                        "`; end it with TIDEOVER_EXPORT_PLUGIN(...) and keep the symbol visible");
  const auto* descriptor = static_cast<const tideover_plugin_descriptor*>(library.getSymbol(TIDEOVER_PLUGIN_SYMBOL));
  Dl_info info{};
  void* entry = nullptr;
  if (::dladdr1(descriptor, &info, &entry, RTLD_DL_SYMENT) != 0 && entry != nullptr)
    if (const auto size = static_cast<const Elf64_Sym*>(entry)->st_size;
        size > 0 && size < sizeof(tideover_plugin_descriptor))
      return refuse(path, "exports `" TIDEOVER_PLUGIN_SYMBOL "` of " + std::to_string(size) +
                              " bytes, which is not a descriptor; end it with TIDEOVER_EXPORT_PLUGIN(...)");
  return Library{descriptor, crypto::hex_encode(crypto::sha256(*bytes))};
}

}  // namespace tideover::plugin_host
