// Builds the tables of a bundle from its schemas and table files: tables/<name>.lua declares the rows of a table.
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
  TableSet in_force;  // official rows where the operator has added files, else the samples
  TableSet samples;   // for cases, so that their results are the same on every machine
  std::vector<RuleFileError> errors;
};

/// Every table of the bundle; those with faults lack their invalid rows, so that the rules that use them can still be
/// read.
BundleTables load_tables(const std::shared_ptr<const Bundle>& bundle, tables::TableFileCache& file_cache);

/// Uses pfs, gpci, conversion_factors and place_of_service; nullopt when one of the first three does not have the
/// schema of the shipped bundle.
std::optional<tables::ClaimFees> claim_fees(const TableSet& tables);

}  // namespace tideover::lua
