// The senders of rails in SQL. One row per rail, for all tenants. Bound to one session and its thread.
#pragma once
#include "core/ports/records/rail_sender_records.hpp"
#include "core/store/sql/session.hpp"

namespace tideover::store {

class RailSenderStore final : public ports::RailSenderRecords {
 public:
  explicit RailSenderStore(sql::Session& session) : session_(session) {}

  std::optional<ports::RailSender> find(std::string_view rail) const override;
  std::vector<ports::RailSender> all() const override;
  void insert(const ports::RailSender& sender) override;
  bool update(const ports::RailSender& sender, int expected_epoch) override;

 private:
  sql::Session& session_;
};

}  // namespace tideover::store
