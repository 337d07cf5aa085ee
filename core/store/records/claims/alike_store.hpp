// Look-ups by the forms of claim numbers and by charge, in SQL. Bound to one session and its thread.
#pragma once
#include "core/ports/records/alike_records.hpp"
#include "core/store/encryption/encrypted_cells.hpp"

namespace tideover::store {

class AlikeStore final : public ports::AlikeRecords {
 public:
  AlikeStore(sql::Session& session, const EncryptedCells& cells) : session_(session), cells_(cells) {}

  std::vector<ports::AdvanceAlike> advances_numbered(const domain::TenantId& tenant, std::string_view normal_number,
                                                     std::string_view payer_id, domain::Money charge,
                                                     std::size_t limit) const override;
  std::vector<ports::AdvanceAlike> advances_known_as(const domain::TenantId& tenant, std::string_view normal_number,
                                                     std::size_t limit) const override;
  std::vector<ports::AdvanceAlike> advances_billed(const domain::TenantId& tenant, std::string_view payer_id,
                                                   domain::Money charge, const std::optional<domain::DateRange>& days,
                                                   std::size_t limit) const override;
  std::vector<ports::AnswerAlike> answers_numbered(const domain::TenantId& tenant,
                                                   const std::vector<std::string>& normal_forms,
                                                   const std::optional<domain::Date>& since,
                                                   std::size_t limit) const override;
  std::vector<ports::AnswerAlike> answers_charged(const domain::TenantId& tenant, std::string_view payer_id,
                                                  domain::Money charge, const std::optional<domain::DateRange>& days,
                                                  domain::Date since, std::size_t limit) const override;

 private:
  auto answers(const domain::TenantId& tenant) const;

  sql::Session& session_;
  const EncryptedCells& cells_;
};

}  // namespace tideover::store
