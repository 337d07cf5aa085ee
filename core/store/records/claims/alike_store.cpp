#include "core/store/records/claims/alike_store.hpp"

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/claims/number_forms.hpp"
#include "core/store/records/rows/columns.hpp"

namespace tideover::store {
namespace {

constexpr int kFarthest = 1'000'000;  // later than any date

#define ADVANCE_COLUMNS "s.id, s.payer_id, s.billed_cents, s.billed_date"

ports::AdvanceAlike read_advance(const sql::Row& row) {
  ColumnReader in(row);
  ports::AdvanceAlike advance;
  advance.settlement = in.id<domain::SettlementId>();
  advance.payer_id = in.text();
  advance.charge = in.money();
  advance.date_of_service = in.optional_date();
  return advance;
}

}  // namespace

std::vector<ports::AdvanceAlike> AlikeStore::advances_numbered(const domain::TenantId& tenant,
                                                               std::string_view normal_number,
                                                               std::string_view payer_id, domain::Money charge,
                                                               std::size_t limit) const {
  // CROSS: SQLite would otherwise read all advances of the tenant in the order of another index.
  return all(session_, read_advance,
             "SELECT " ADVANCE_COLUMNS
             " FROM advance_numbers n CROSS JOIN settlements s ON s.tenant = n.tenant AND s.id = n.settlement_id "
             "WHERE n.lookup = ? AND n.tenant = ? AND s.live_claim_id IS NOT NULL "
             "ORDER BY s.payer_id = ? DESC, s.billed_cents = ? DESC, s.receivable_open DESC, s.id DESC LIMIT ?",
             number_form(cells_, tenant, normal_number), tenant.text(), payer_id, charge.cents(), rows(limit));
}

std::vector<ports::AdvanceAlike> AlikeStore::advances_known_as(const domain::TenantId& tenant,
                                                               std::string_view normal_number,
                                                               std::size_t limit) const {
  return all(session_, read_advance,
             "SELECT DISTINCT " ADVANCE_COLUMNS
             " FROM remittance_claims c JOIN settlements s ON s.tenant = c.tenant AND s.id = c.settlement_id "
             "WHERE c.payer_number_form = ? AND c.tenant = ? AND c.settlement_id IS NOT NULL AND s.live_claim_id IS "
             "NOT NULL LIMIT ?",
             number_form(cells_, tenant, normal_number), tenant.text(), rows(limit));
}

// Each half uses its range of settlements_by_charge: those with a service date, and those without.
#define BILLED(STATUS, PAYER)                                                                                         \
  "SELECT " ADVANCE_COLUMNS " FROM settlements s WHERE s.tenant = ? AND s.billed_cents = ? AND " STATUS " AND " PAYER \
  " AND s.billed_date BETWEEN ? AND ? UNION ALL SELECT " ADVANCE_COLUMNS                                              \
  " FROM settlements s WHERE s.tenant = ? AND s.billed_cents = ? AND " STATUS " AND " PAYER                           \
  " AND s.billed_date IS NULL LIMIT ?"
#define OWED "s.status = 'funded' AND s.receivable_open = 1"
#define NOT_FUNDED "s.status IN ('pending_confirmation', 'approved') AND s.receivable_open = 0"
#define CLOSED_AT_A_LOSS                                                                                          \
  "s.status = 'funded' AND s.receivable_open = 0 AND (SELECT r.final_status FROM reconciliation_records r WHERE " \
  "r.tenant = s.tenant "                                                                                          \
  "AND r.settlement_id = s.id ORDER BY r.number DESC LIMIT 1) IN ('settled_short', 'denied', 'reversed', "        \
  "'written_off')"
#define OF_PAYER "s.payer_id = ?"
#define OF_ANY "? = ''"  // the payer is unknown

std::vector<ports::AdvanceAlike> AlikeStore::advances_billed(const domain::TenantId& tenant, std::string_view payer_id,
                                                             domain::Money charge,
                                                             const std::optional<domain::DateRange>& days,
                                                             std::size_t limit) const {
  const int from = days ? days->from.days() : -kFarthest, to = days ? days->to.days() : kFarthest;
  std::vector<ports::AdvanceAlike> found;
  const auto look = [&](sql::Sql of_payer, sql::Sql of_any) {
    auto more = all(session_, read_advance, payer_id.empty() ? of_any : of_payer, tenant.text(), charge.cents(),
                    payer_id, from, to, tenant.text(), charge.cents(), payer_id, rows(limit));
    found.insert(found.end(), more.begin(), more.end());
  };
  look(BILLED(OWED, OF_PAYER), BILLED(OWED, OF_ANY));
  look(BILLED(NOT_FUNDED, OF_PAYER), BILLED(NOT_FUNDED, OF_ANY));
  if (days) look(BILLED(CLOSED_AT_A_LOSS, OF_PAYER), BILLED(CLOSED_AT_A_LOSS, OF_ANY));
  if (found.size() > limit) found.resize(limit);
  return found;
}

#define ANSWER_COLUMNS                                                                                    \
  "c.remittance_id, c.position, c.claim_identifier, r.payer_id, c.status, c.charge_cents, c.paid_cents, " \
  "c.date_of_service"
#define ANSWERS                                                                                                        \
  "SELECT " ANSWER_COLUMNS                                                                                             \
  " FROM remittance_claims c JOIN remittances r ON r.tenant = c.tenant AND r.id = c.remittance_id "                    \
  "WHERE c.settlement_id IS NULL AND c.state IN ('waiting', 'unmatched') AND r.status <> 'unbalanced' AND c.tenant = " \
  "? AND "

#define PAID_SINCE "COALESCE(r.payment_date * ?, r.created_at) >= ?"
constexpr std::int64_t kMsPerDay = 86'400'000;

auto AlikeStore::answers(const domain::TenantId& tenant) const {
  return [this, &tenant](const sql::Row& row) {
    ColumnReader in(row);
    ports::AnswerAlike answer;
    answer.remittance = in.id<domain::RemittanceId>();
    answer.claim = in.number();
    answer.claim_identifier = cells_.open(tenant, encrypted::kRemittanceIdentifier,
                                          row_name(answer.remittance.text(), answer.claim), in.bytes());
    answer.payer_id = in.text();
    answer.status = in.text();
    answer.charge = in.money();
    answer.paid = in.money();
    answer.date_of_service = in.optional_date();
    return answer;
  };
}

std::vector<ports::AnswerAlike> AlikeStore::answers_numbered(const domain::TenantId& tenant,
                                                             const std::vector<std::string>& normal_forms,
                                                             const std::optional<domain::Date>& since,
                                                             std::size_t limit) const {
  std::vector<ports::AnswerAlike> found;
  for (const auto& form : normal_forms) {
    auto more = all(session_, answers(tenant),
                    ANSWERS "c.number_form = ? AND " PAID_SINCE " ORDER BY c.remittance_id DESC LIMIT ?", tenant.text(),
                    number_form(cells_, tenant, form), kMsPerDay, since ? since->days() * kMsPerDay : std::int64_t{0},
                    rows(limit));
    found.insert(found.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return found;
}

std::vector<ports::AnswerAlike> AlikeStore::answers_charged(const domain::TenantId& tenant, std::string_view payer_id,
                                                            domain::Money charge,
                                                            const std::optional<domain::DateRange>& days,
                                                            domain::Date since, std::size_t limit) const {
  const int from = days ? days->from.days() : -kFarthest, to = days ? days->to.days() : kFarthest;
#define CHARGED(DAY) ANSWERS "c.charge_cents = ? AND " DAY " AND r.payer_id IN (?, '') AND " PAID_SINCE " LIMIT ?"
  auto found = all(session_, answers(tenant), CHARGED("c.date_of_service BETWEEN ? AND ?"), tenant.text(),
                   charge.cents(), from, to, payer_id, kMsPerDay, since.days() * kMsPerDay, rows(limit));
  auto undated = all(session_, answers(tenant), CHARGED("c.date_of_service IS NULL"), tenant.text(), charge.cents(),
                     payer_id, kMsPerDay, since.days() * kMsPerDay, rows(limit));
#undef CHARGED
  found.insert(found.end(), std::make_move_iterator(undated.begin()), std::make_move_iterator(undated.end()));
  return found;
}

}  // namespace tideover::store
