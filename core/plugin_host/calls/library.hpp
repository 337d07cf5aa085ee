// A shared library, loaded for the life of the process from a private copy: overwriting the original cannot change
// mapped code, and the hashed bytes are the running code. Never unloaded, because its code may still be on a stack
// and its types in a catch clause.
#pragma once
#include <string>

#include "core/domain/basics/result.hpp"

struct tideover_plugin_descriptor;

namespace tideover::plugin_host {

struct Library {
  const tideover_plugin_descriptor* descriptor = nullptr;
  std::string sha256;
};

domain::Result<Library> load_library(const std::string& path);

}  // namespace tideover::plugin_host
