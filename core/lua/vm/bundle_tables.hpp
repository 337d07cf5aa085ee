// Builds the tables of a bundle from its schemas and table files: tables/<name>.lua declares the columns of a table.
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
  TableSet in_force;  // official rows if the operator provides them, otherwise the samples
  TableSet samples;   // for cases, so that their results are the same on every machine
  std::vector<RuleFileError> errors;
};

/// Every table of the bundle, including those with faults (without their bad rows), so that rules that use them can be
/// checked.
BundleTables load_tables(const std::shared_ptr<const Bundle>& bundle, tables::TableFileCache& file_cache);

/// From pfs, gpci, conversion_factors and place_of_service; nullopt when one of the first three is missing or differs
/// from the shipped bundle.
std::optional<tables::ClaimFees> claim_fees(const TableSet& tables);

}  // namespace tideover::lua
