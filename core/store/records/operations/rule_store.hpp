// Rule bundles, the live bundle and their history in SQL, for all tenants. Bound to one session and its thread.
#pragma once
#include "core/ports/records/rule_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class RuleStore final : public ports::RuleRecords {
 public:
  explicit RuleStore(sql::Session& session) : session_(session) {}

  void insert(const domain::RuleBundle& bundle) override;
  bool update(const domain::RuleBundle& bundle, domain::BundleState expected) override;
  std::optional<domain::RuleBundle> find(std::string_view sha256) const override;
  std::vector<domain::RuleBundle> find_by_prefix(std::string_view prefix, std::size_t limit) const override;
  std::vector<domain::RuleBundle> list(std::size_t limit, const domain::RuleBundle* after,
                                       domain::ListOrder order) const override;
  std::optional<domain::LiveRules> live() const override;
  void insert_live(const domain::LiveRules& live) override;
  bool update_live(const domain::LiveRules& live, std::int64_t expected_generation) override;
  void append(const domain::RuleActRecord& act) override;
  std::vector<domain::RuleActRecord> history(std::size_t limit) const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
