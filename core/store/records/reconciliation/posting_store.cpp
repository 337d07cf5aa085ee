#include "core/store/records/reconciliation/posting_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/tenant_time.hpp"

namespace tideover::store {
namespace {

constexpr StoredNames kPostingPhases{std::in_place_type<domain::PostingPhase>, "takebacks", "claims", "rest"};

#define POSTING_COLUMNS "remittance_id, matched_by, phase, next_claim, revision, again, moved_at"

domain::RemittancePosting read_posting(const sql::Row& row) {
  ColumnReader in(row);
  domain::RemittancePosting posting;
  posting.remittance = in.id<domain::RemittanceId>();
  posting.matched_by = in.text();
  posting.phase = in.named(kPostingPhases);
  posting.next = in.number();
  posting.revision = in.integer();
  posting.again = in.integer() != 0;
  posting.moved_at = in.timestamp();
  return posting;
}

}  // namespace

void PostingStore::insert(const domain::TenantId& tenant, const domain::RemittancePosting& posting) {
  insert_row<"remittance_postings", "tenant, " POSTING_COLUMNS>(
      session_, tenant.text(), posting.remittance.text(), posting.matched_by, kPostingPhases.of(posting.phase),
      posting.next, posting.revision, posting.again ? 1 : 0, posting.moved_at.ms());
}

std::optional<domain::RemittancePosting> PostingStore::find(const domain::TenantId& tenant,
                                                            const domain::RemittanceId& remittance) const {
  return session_.first(read_posting,
                        "SELECT " POSTING_COLUMNS " FROM remittance_postings WHERE tenant = ? AND remittance_id = ?",
                        tenant.text(), remittance.text());
}

bool PostingStore::is_open(const domain::TenantId& tenant, const domain::DepositId& deposit) const {
  return session_
      .first([](const sql::Row&) { return true; },
             "SELECT 1 FROM remittance_postings p JOIN remittances r ON r.tenant = p.tenant AND r.id = "
             "p.remittance_id WHERE p.tenant = ? AND r.deposit_id = ? LIMIT 1",
             tenant.text(), deposit.text())
      .has_value();
}

bool PostingStore::is_payer_open(const domain::TenantId& tenant, std::string_view payer_id) const {
  return session_
      .first([](const sql::Row&) { return true; },
             "SELECT 1 FROM remittance_postings p JOIN remittances r ON r.tenant = p.tenant AND r.id = "
             "p.remittance_id WHERE p.tenant = ? AND r.payer_id = ? LIMIT 1",
             tenant.text(), payer_id)
      .has_value();
}

std::vector<domain::RemittanceId> PostingStore::of(const domain::TenantId& tenant) const {
  return all(
      session_, [](const sql::Row& row) { return domain::RemittanceId::trusted(row.text(0)); },
      "SELECT remittance_id FROM remittance_postings WHERE tenant = ? ORDER BY remittance_id", tenant.text());
}

void PostingStore::postpone(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                            domain::Timestamp now) {
  session_.run("UPDATE remittance_postings SET moved_at = ? WHERE tenant = ? AND remittance_id = ?", now.ms(),
               tenant.text(), remittance.text());
}

void PostingStore::move(const domain::TenantId& tenant, const domain::RemittancePosting& posting) {
  session_.run(
      "UPDATE remittance_postings SET phase = ?, next_claim = ?, revision = ?, moved_at = ? WHERE tenant = ? AND "
      "remittance_id = ?",
      kPostingPhases.of(posting.phase), posting.next, posting.revision, posting.moved_at.ms(), tenant.text(),
      posting.remittance.text());
}

bool PostingStore::set_again(const domain::TenantId& tenant, const domain::RemittanceId& remittance, bool again) {
  return session_.run("UPDATE remittance_postings SET again = ? WHERE tenant = ? AND remittance_id = ?", again ? 1 : 0,
                      tenant.text(), remittance.text()) > 0;
}

void PostingStore::note_change(const domain::TenantId& tenant, const domain::RemittanceId& remittance) {
  session_.run(
      "UPDATE remittance_postings SET revision = revision + 1, again = 1 WHERE tenant = ? AND remittance_id = ?",
      tenant.text(), remittance.text());
}

void PostingStore::remove(const domain::TenantId& tenant, const domain::RemittanceId& remittance) {
  session_.run("DELETE FROM remittance_postings WHERE tenant = ? AND remittance_id = ?", tenant.text(),
               remittance.text());
}

std::vector<std::pair<domain::TenantId, domain::RemittanceId>> PostingStore::stalled(domain::Timestamp latest,
                                                                                     std::size_t limit) const {
  return all(
      session_,
      [](const sql::Row& row) {
        return std::pair(domain::TenantId::trusted(row.text(0)), domain::RemittanceId::trusted(row.text(1)));
      },
      "SELECT tenant, remittance_id FROM remittance_postings WHERE " TIME_HAS_COME(
          "moved_at", "remittance_postings.tenant") " ORDER BY moved_at, tenant, remittance_id LIMIT ?",
      latest.ms(), latest.ms(), rows(limit));
}

}  // namespace tideover::store
