// A shared library, loaded from a private copy until the process ends: overwriting the original cannot change mapped
// code, and the hashed bytes are the executed ones. Never unloaded: its code may still be on a stack, its types in a
// catch clause.
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
