// From the schemas and table files of a bundle to its tables: tables/<name>.lua declares what the rows of a table hold.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lua/vm/bundle.hpp"
#include "core/tables/claim_fees.hpp"
#include "core/tables/table.hpp"

namespace tideover::lua {

/// By name.
using TableSet = std::map<std::string, std::shared_ptr<const tables::Table>, std::less<>>;

struct BundleTables {
  TableSet in_force;  // official rows where the operator dropped some in, else the samples
  TableSet samples;   // on which cases run, so that they say the same on every machine
  std::vector<RuleFileError> errors;
};

/// Every table of the bundle, also those with faults (then without their bad rows), so that the rules that use them can
/// be read.
BundleTables load_tables(const std::shared_ptr<const Bundle>& bundle, tables::TableFileCache& file_cache);

/// By pfs, gpci, conversion_factors and place_of_service; nullopt where one of the first three is not there as the
/// shipped bundle has it.
std::optional<tables::ClaimFees> claim_fees(const TableSet& tables);

}  // namespace tideover::lua
