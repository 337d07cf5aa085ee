// The learning journal, and payers' editions, in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/learning_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class LearningStore final : public ports::LearningRecords {
 public:
  explicit LearningStore(sql::Session& session) : session_(session) {}

  std::vector<ports::LearningHead> heads() const override;
  std::vector<domain::LearningBatch> behind(const domain::TenantId& tenant, std::int64_t after,
                                            std::size_t limit) const override;
  std::vector<domain::LearningBatch> before(const domain::TenantId& tenant, std::int64_t before,
                                            std::size_t limit) const override;
  void append(const domain::TenantId& tenant, const domain::LearningBatch& batch) override;
  std::vector<domain::SetAside> set_aside(const domain::TenantId& tenant, std::int64_t after,
                                          std::int64_t until) const override;
  bool put_aside(const domain::TenantId& tenant, const domain::SetAside& entry, domain::Timestamp at) override;
  void file_payer(std::string_view edition, std::string_view record) override;
  std::optional<std::string> payer(std::string_view edition) const override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
