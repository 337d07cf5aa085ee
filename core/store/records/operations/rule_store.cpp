#include "core/store/records/operations/rule_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

#define BUNDLE_COLUMNS "sha256, version, state, reason, filed_by, approved_by, filed_at, changed_at"

/// There is one live set of rules.
constexpr std::int64_t kLiveRow = 1;

domain::RuleBundle read_summary(ColumnReader& in) {
  domain::RuleBundle bundle;
  bundle.sha256 = in.text();
  bundle.version = in.text();
  bundle.state = in.named(domain::bundle_state_named);
  bundle.reason = in.text();
  bundle.filed_by = in.text();
  bundle.approved_by = in.text();
  bundle.filed_at = in.timestamp();
  bundle.changed_at = in.timestamp();
  return bundle;
}

domain::RuleBundle read_row(const sql::Row& row) {
  ColumnReader in(row);
  return read_summary(in);
}

domain::RuleBundle read_with_files(const sql::Row& row) {
  ColumnReader in(row);
  auto bundle = read_summary(in);
  bundle.files = in.bytes();
  return bundle;
}

domain::LiveRules read_live(const sql::Row& row) {
  ColumnReader in(row);
  domain::LiveRules live;
  live.sha256 = in.text();
  live.previous_sha256 = in.text();
  live.generation = in.integer();
  live.is_pinned = in.flag();
  live.effective_at = in.timestamp();
  return live;
}

domain::RuleActRecord read_act(const sql::Row& row) {
  ColumnReader in(row);
  domain::RuleActRecord act;
  act.id = in.text();
  act.at = in.timestamp();
  act.act = in.named(domain::rule_act_named);
  act.sha256 = in.text();
  act.actor = in.text();
  act.reason = in.text();
  return act;
}

sql::BlobView files_column(const domain::RuleBundle& bundle) {
  return {reinterpret_cast<const std::uint8_t*>(bundle.files.data()), bundle.files.size()};
}

}  // namespace

void RuleStore::insert(const domain::RuleBundle& bundle) {
  insert_row<"rule_bundles", BUNDLE_COLUMNS ", files">(
      session_, bundle.sha256, bundle.version, name_of(bundle.state), bundle.reason, bundle.filed_by,
      bundle.approved_by, bundle.filed_at.ms(), bundle.changed_at.ms(), files_column(bundle));
}

bool RuleStore::update(const domain::RuleBundle& bundle, domain::BundleState expected) {
  return session_.run(
             "UPDATE rule_bundles SET state = ?, reason = ?, filed_by = ?, approved_by = ?, filed_at = ?, changed_at = "
             "?, files = ? "
             "WHERE sha256 = ? AND state = ?",
             name_of(bundle.state), bundle.reason, bundle.filed_by, bundle.approved_by, bundle.filed_at.ms(),
             bundle.changed_at.ms(), files_column(bundle), bundle.sha256, name_of(expected)) > 0;
}

std::optional<domain::RuleBundle> RuleStore::find(std::string_view sha256) const {
  return session_.first(read_with_files, "SELECT " BUNDLE_COLUMNS ", files FROM rule_bundles WHERE sha256 = ?", sha256);
}

std::vector<domain::RuleBundle> RuleStore::find_by_prefix(std::string_view prefix, std::size_t limit) const {
  if (prefix.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return {};  // a column of digests cannot be compared with other text
  return all(session_, read_row,
             "SELECT " BUNDLE_COLUMNS " FROM rule_bundles WHERE sha256 >= ? AND sha256 < ? ORDER BY sha256 LIMIT ?",
             prefix, std::string(prefix) + '~', rows(limit));
}

std::vector<domain::RuleBundle> RuleStore::list(std::size_t limit, const domain::RuleBundle* after,
                                                domain::ListOrder order) const {
  const bool is_newest_first = order == domain::ListOrder::newest_first;
  if (after != nullptr) {
    const auto at = after->filed_at.ms();
    if (is_newest_first)
      return all(session_, read_row,
                 "SELECT " BUNDLE_COLUMNS
                 " FROM rule_bundles WHERE filed_at < ? OR (filed_at = ? AND sha256 < ?) ORDER BY filed_at DESC, "
                 "sha256 DESC LIMIT ?",
                 at, at, after->sha256, rows(limit));
    return all(session_, read_row,
               "SELECT " BUNDLE_COLUMNS
               " FROM rule_bundles WHERE filed_at > ? OR (filed_at = ? AND sha256 > ?) ORDER BY filed_at, sha256 LIMIT "
               "?",
               at, at, after->sha256, rows(limit));
  }
  if (is_newest_first)
    return all(session_, read_row,
               "SELECT " BUNDLE_COLUMNS " FROM rule_bundles ORDER BY filed_at DESC, sha256 DESC LIMIT ?", rows(limit));
  return all(session_, read_row, "SELECT " BUNDLE_COLUMNS " FROM rule_bundles ORDER BY filed_at, sha256 LIMIT ?",
             rows(limit));
}

std::optional<domain::LiveRules> RuleStore::live() const {
  return session_.first(
      read_live, "SELECT sha256, previous_sha256, generation, is_pinned, effective_at FROM live_rules WHERE id = ?",
      kLiveRow);
}

void RuleStore::insert_live(const domain::LiveRules& live) {
  insert_row<"live_rules", "id, sha256, previous_sha256, generation, is_pinned, effective_at">(
      session_, kLiveRow, live.sha256, live.previous_sha256, live.generation, live.is_pinned, live.effective_at.ms());
}

bool RuleStore::update_live(const domain::LiveRules& live, std::int64_t expected_generation) {
  return session_.run(
             "UPDATE live_rules SET sha256 = ?, previous_sha256 = ?, generation = ?, is_pinned = ?, effective_at = ? "
             "WHERE id = ? AND generation = ?",
             live.sha256, live.previous_sha256, live.generation, live.is_pinned, live.effective_at.ms(), kLiveRow,
             expected_generation) > 0;
}

void RuleStore::append(const domain::RuleActRecord& act) {
  insert_row<"rule_acts", "id, at, act, sha256, actor, reason">(session_, act.id, act.at.ms(), name_of(act.act),
                                                                act.sha256, act.actor, act.reason);
}

std::vector<domain::RuleActRecord> RuleStore::history(std::size_t limit) const {
  return all(session_, read_act, "SELECT id, at, act, sha256, actor, reason FROM rule_acts ORDER BY id DESC LIMIT ?",
             rows(limit));
}

}  // namespace tideover::store
