// The lists of verbs; one function for each command_<noun>.cpp.
#pragma once
#include <vector>

#include "core/admin/admin.hpp"

namespace tideover::admin {

std::vector<AdminVerb> audit_verbs();
std::vector<AdminVerb> backup_verbs();
std::vector<AdminVerb> client_verbs();
std::vector<AdminVerb> client_secret_verbs();
std::vector<AdminVerb> db_verbs();
std::vector<AdminVerb> rail_sender_verbs();
std::vector<AdminVerb> import_verbs();
std::vector<AdminVerb> keys_verbs();
std::vector<AdminVerb> ledger_verbs();
std::vector<AdminVerb> payer_alias_verbs();
std::vector<AdminVerb> rails_verbs();
std::vector<AdminVerb> remittance_verbs();
std::vector<AdminVerb> quality_verbs();
std::vector<AdminVerb> review_verbs();
std::vector<AdminVerb> rule_backtest_verbs();
std::vector<AdminVerb> rule_diff_verbs();
std::vector<AdminVerb> rule_release_verbs();

}  // namespace tideover::admin
