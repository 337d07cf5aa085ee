#include "core/store/claim_store.hpp"

#include "core/store/columns.hpp"
#include "core/store/record_text.hpp"

namespace tideover::store {
namespace {

#define CLAIM_COLUMNS                                                                                               \
  "id, claim_identifier, facility, chart_identifier, date_of_service, date_of_submission, servicer_npi, "           \
  "billing_npi, payer_id, submitted_cents, service_lines, duplicate_key, status, status_previous, status_version, " \
  "status_source, status_reason_code, status_note, status_effective_at, status_updated_at"

// The chart identifier is health information: it passes through these two functions and nowhere else.
const std::string& chart_column(const domain::ClaimDraft& draft) {
  return draft.chart_identifier.reveal();
}
domain::Sensitive<std::string> chart_of(std::string column) {
  return domain::Sensitive<std::string>(std::move(column));
}

std::string lines_column(const std::vector<domain::ServiceLine>& lines) {
  RecordWriter out;
  for (const auto& line : lines) {
    out.text(line.cpt).text(line.modifier).integer(line.units_milli).optional_integer(cents(line.amount)).end_record();
  }
  return out.take();
}

std::vector<domain::ServiceLine> lines_of(const std::string& column) {
  std::vector<domain::ServiceLine> lines;
  for (RecordReader in(column); in.next();) {
    auto& line = lines.emplace_back();
    line.cpt = in.text();
    line.modifier = in.text();
    line.units_milli = in.integer();
    if (const auto amount = in.optional_integer()) line.amount = domain::Money::cents(*amount);
  }
  return lines;
}

std::optional<domain::ClaimStatus> optional_status(const std::optional<std::string>& name) {
  return name ? domain::claim_status_named(*name) : std::nullopt;
}

std::optional<std::string_view> name_of(const std::optional<domain::ClaimStatus>& status) {
  return status ? std::optional(domain::name_of(*status)) : std::nullopt;
}

ports::StoredClaim read_claim(const sql::Row& row) {
  ColumnReader in(row);
  ports::StoredClaim stored;
  auto& draft = stored.claim.draft;
  stored.claim.id = in.id<domain::ClaimId>();
  draft.claim_identifier = in.text();
  draft.facility = in.text();
  draft.chart_identifier = chart_of(in.text());
  draft.date_of_service = in.optional_date();
  draft.date_of_submission = in.optional_date();
  draft.servicer_npi = in.text();
  draft.billing_npi = in.text();
  draft.payer_id = in.text();
  draft.submitted_amount = in.money();
  draft.service_lines = lines_of(in.text());
  stored.claim.duplicate_key = in.text();

  auto& status = stored.status;
  status.claim = stored.claim.id;
  status.claim_identifier = draft.claim_identifier;
  status.status = in.named(domain::claim_status_named);
  status.previous = optional_status(in.optional_text());
  status.version = in.number();
  status.source = in.named(domain::status_source_named);
  status.reason_code = in.text();
  status.note = in.text();
  status.effective_at = in.optional_timestamp();
  status.updated_at = in.timestamp();
  return stored;
}

}  // namespace

std::optional<ports::StoredClaim> ClaimStore::find(const domain::TenantId& tenant, std::string_view reference) const {
  auto found =
      session_.first(read_claim, "SELECT " CLAIM_COLUMNS " FROM claims WHERE tenant = ? AND claim_identifier = ?",
                     tenant.text(), reference);
  if (found || !domain::ClaimId::parse(reference)) return found;
  return session_.first(read_claim, "SELECT " CLAIM_COLUMNS " FROM claims WHERE tenant = ? AND id = ?", tenant.text(),
                        reference);
}

int ClaimStore::count_duplicates(const domain::TenantId& tenant, std::string_view duplicate_key,
                                 std::string_view except_identifier) const {
  return session_
      .first([](const sql::Row& row) { return static_cast<int>(row.integer(0)); },
             "SELECT COUNT(*) FROM claims WHERE tenant = ? AND duplicate_key = ? AND claim_identifier <> ?",
             tenant.text(), duplicate_key, except_identifier)
      .value_or(0);
}

void ClaimStore::insert(const domain::TenantId& tenant, const ports::StoredClaim& stored) {
  const auto& draft = stored.claim.draft;
  const auto& status = stored.status;
  session_.run("INSERT INTO claims (tenant, " CLAIM_COLUMNS
               ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               tenant.text(), stored.claim.id.text(), draft.claim_identifier, draft.facility, chart_column(draft),
               days(draft.date_of_service), days(draft.date_of_submission), draft.servicer_npi, draft.billing_npi,
               draft.payer_id, draft.submitted_amount.cents(), lines_column(draft.service_lines),
               stored.claim.duplicate_key, domain::name_of(status.status), name_of(status.previous), status.version,
               domain::name_of(status.source), status.reason_code, status.note, ms(status.effective_at),
               status.updated_at.ms());
}

void ClaimStore::replace(const domain::TenantId& tenant, const domain::Claim& claim, domain::Timestamp now) {
  const auto& draft = claim.draft;
  session_.run(
      "UPDATE claims SET facility = ?, chart_identifier = ?, date_of_service = ?, date_of_submission = ?, "
      "servicer_npi = ?, billing_npi = ?, payer_id = ?, submitted_cents = ?, service_lines = ?, "
      "duplicate_key = ?, replaced_at = ? WHERE tenant = ? AND id = ?",
      draft.facility, chart_column(draft), days(draft.date_of_service), days(draft.date_of_submission),
      draft.servicer_npi, draft.billing_npi, draft.payer_id, draft.submitted_amount.cents(),
      lines_column(draft.service_lines), claim.duplicate_key, now.ms(), tenant.text(), claim.id.text());
}

void ClaimStore::guard(const domain::TenantId& tenant, const domain::ClaimId& claim) {
  session_.run("UPDATE claims SET guard = guard + 1 WHERE tenant = ? AND id = ?", tenant.text(), claim.text());
}

bool ClaimStore::move(const domain::TenantId& tenant, const domain::ClaimStatusRecord& next) {
  const auto current = session_.first(read_claim, "SELECT " CLAIM_COLUMNS " FROM claims WHERE tenant = ? AND id = ?",
                                      tenant.text(), next.claim.text());
  if (!current || current->status.version != next.version - 1) return false;
  const auto& leaving = current->status;
  const auto moved = session_.run(
      "UPDATE claims SET status = ?, status_previous = ?, status_version = ?, status_source = ?, "
      "status_reason_code = ?, status_note = ?, status_effective_at = ?, status_updated_at = ? "
      "WHERE tenant = ? AND id = ? AND status_version = ?",
      domain::name_of(next.status), name_of(next.previous), next.version, domain::name_of(next.source),
      next.reason_code, next.note, ms(next.effective_at), next.updated_at.ms(), tenant.text(), next.claim.text(),
      next.version - 1);
  if (moved == 0) return false;  // somebody was first, in another transaction
  session_.run(
      "INSERT INTO claim_status_history (tenant, claim_id, version, status, previous, source, reason_code, "
      "note, effective_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      tenant.text(), next.claim.text(), leaving.version, domain::name_of(leaving.status), name_of(leaving.previous),
      domain::name_of(leaving.source), leaving.reason_code, leaving.note, ms(leaving.effective_at),
      leaving.updated_at.ms());
  return true;
}

}  // namespace tideover::store
