// Nodes in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/node_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class NodeStore final : public ports::NodeRecords {
 public:
  explicit NodeStore(sql::Session& session) : session_(session) {}

  std::optional<ports::Node> find(std::string_view name) const override;
  std::vector<ports::Node> list() const override;
  bool take(const ports::Node& node) override;
  bool renew(std::string_view name, int epoch, domain::Timestamp lease_end) override;
  bool take_work(std::string_view work, std::string_view node, domain::Timestamp now,
                 domain::Timestamp lease_end) override;
  void finish_work(std::string_view work, std::string_view node, domain::Timestamp next_at) override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
