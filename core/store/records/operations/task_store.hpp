// Tasks in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/task_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class TaskStore final : public ports::TaskRecords {
 public:
  explicit TaskStore(sql::Session& session) : session_(session) {}

  void open(const domain::TenantId& tenant, const domain::Task& task) override;
  bool is_reported(const domain::TenantId& tenant, std::string_view finding) const override;
  void amend(const domain::TenantId& tenant, std::string_view finding, std::string_view note) override;
  std::optional<domain::TaskId> unexpected_payment(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                                   std::string_view finding_begins,
                                                   std::string_view except) const override;
  std::optional<domain::TaskId> open_on_claim(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                              std::string_view kind, std::string_view except) const override;
  std::optional<domain::Task> find(const domain::TenantId& tenant, const domain::TaskId& id) const override;
  std::vector<domain::Task> list(const domain::TenantId& tenant, const ports::TaskFilter& filter,
                                 const domain::ListPage& page) const override;
  bool vote(const domain::TenantId& tenant, const domain::TaskId& id, const domain::TaskVote& vote) override;
  bool close(const domain::TenantId& tenant, const domain::TaskId& id, std::string_view decision,
             domain::Timestamp at) override;

 private:
  std::vector<domain::TaskVote> votes_on(const domain::TenantId& tenant, const domain::TaskId& id) const;

  sql::Session& session_;
};

}  // namespace tideover::store
