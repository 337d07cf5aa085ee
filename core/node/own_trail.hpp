// What no client did, in the audit trail all the same: starts with the digests of what was loaded, rules put in force,
// administrative commands. The rows belong to no tenant.
#pragma once
#include <filesystem>
#include <string>

#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"
#include "core/settings/settings.hpp"

namespace tideover::main {

/// Where the row cannot be written the store tells the operator; what was done stands.
void note(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, const std::string& operation,
          const std::string& object, const std::string& outcome = "ok");

/// SHA-256, hex; "unreadable" when it is.
std::string digest_of(const std::filesystem::path& file);
/// Of every setting in force, wherever it came from.
std::string digest_of(settings::Settings settings);

}  // namespace tideover::main
