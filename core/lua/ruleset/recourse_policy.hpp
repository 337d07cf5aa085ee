// Reads the table `policy` of a recourse rule. Host code: never runs scripts.
#pragma once
#include "core/domain/funding/recourse.hpp"
#include "core/lua/vm/table_reader.hpp"

namespace tideover::lua {

/// The values that no event asks for; each may be missing. Faults, and values that the domain refuses, go to
/// `complain`.
domain::RecoursePolicy read_recourse_policy(TableReader& rule, lua_State* state, const TableReader::Complain& complain);

}  // namespace tideover::lua
