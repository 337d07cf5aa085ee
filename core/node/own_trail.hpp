// Audit rows of the service itself: starts with the digests of loaded files, rules that became live, and administrative
// commands. The rows belong to no tenant.
#pragma once
#include <filesystem>
#include <string>

#include "core/ports/clock.hpp"
#include "core/ports/id_source.hpp"
#include "core/ports/store.hpp"
#include "core/settings/settings.hpp"

namespace tideover::node {

/// If the row cannot be written, the store reports it to the operator; the action is not undone.
void note(ports::Store& store, const ports::Clock& clock, ports::IdSource& ids, const std::string& operation,
          const std::string& object, const std::string& outcome = "ok");

/// SHA-256 in hex; "unreadable" when the file cannot be read.
std::string digest_of(const std::filesystem::path& file);
/// Digest of all settings in force, from every source.
std::string digest_of(settings::Settings settings);

}  // namespace tideover::node
