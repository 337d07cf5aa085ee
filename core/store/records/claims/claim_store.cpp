#include "core/store/records/claims/claim_store.hpp"

#include <limits>

#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/list_rows.hpp"
#include "core/store/records/rows/service_lines.hpp"

namespace tideover::store {
namespace {

#define CLAIM_COLUMNS                                                                                                  \
  "id, claim_identifier, facility, chart_identifier, date_of_service, date_of_submission, servicer_npi, "              \
  "billing_npi, payer_id, submitted_cents, service_lines, duplicate_digest, status, status_previous, status_version, " \
  "status_source, status_reason_code, status_note, status_effective_at, status_updated_at, revision, created_at"

#define VERSION_COLUMNS                                                                                    \
  "facility, chart_identifier, date_of_service, date_of_submission, servicer_npi, billing_npi, payer_id, " \
  "submitted_cents, service_lines"

/// Days of the service date, above 40 bits of the digest (FNV-1a, folded): look-alikes share the value, and claims of
/// one day are adjacent in the index. Other claims may collide by chance; the whole digest decides.
std::int64_t duplicate_number(const domain::Claim& claim) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : claim.duplicate_key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  const auto bits = static_cast<std::int64_t>((hash ^ hash >> 40) & 0xff'ffff'ffff);
  const std::int64_t day = claim.draft.date_of_service ? claim.draft.date_of_service->days() : 0;
  return day * (std::int64_t{1} << 40) + bits;
}

std::optional<domain::ClaimStatus> optional_status(const std::optional<std::string>& name) {
  return name ? domain::claim_status_named(*name) : std::nullopt;
}

std::optional<std::string_view> name_of(const std::optional<domain::ClaimStatus>& status) {
  return status ? std::optional(domain::name_of(*status)) : std::nullopt;
}

/// When a claim was made that has no created_at: it is from before that column.
domain::Timestamp made_at(const domain::ClaimId& id) {
  const auto ulid = domain::parse_ulid(std::string_view(id.text()).substr(domain::kind::Claim::kPrefix.size()));
  return domain::Timestamp::from_ms(ulid ? domain::ulid_ms(*ulid) : 0);
}

ports::StoredClaim read_claim(const sql::Row& row, const EncryptedCells& cells, const domain::TenantId& tenant) {
  ColumnReader in(row);
  ports::StoredClaim stored;
  auto& draft = stored.claim.draft;
  stored.claim.id = in.id<domain::ClaimId>();
  const auto& name = stored.claim.id.text();
  draft.claim_identifier = cells.open(tenant, encrypted::kClaimIdentifier, name, in.bytes());
  draft.facility = in.text();
  draft.chart_identifier = domain::Sensitive<std::string>(cells.open(tenant, encrypted::kClaimChart, name, in.bytes()));
  draft.date_of_service = in.optional_date();
  draft.date_of_submission = in.optional_date();
  draft.servicer_npi = in.text();
  draft.billing_npi = in.text();
  draft.payer_id = in.text();
  draft.submitted_amount = in.money();
  read_claim_content(cells.open(tenant, encrypted::kClaimLines, name, in.bytes()), draft);
  stored.claim.duplicate_key = in.text();

  auto& status = stored.status;
  status.claim = stored.claim.id;
  status.claim_identifier = draft.claim_identifier;
  status.status = in.named(domain::claim_status_named);
  status.previous = optional_status(in.optional_text());
  status.version = in.number();
  status.source = in.named(domain::status_source_named);
  status.reason_code = in.text();
  status.note = cells.open(tenant, encrypted::kClaimNote, name, in.bytes());
  status.effective_at = in.optional_timestamp();
  status.updated_at = in.timestamp();
  stored.revision = in.number();
  const auto created_at = in.optional_timestamp();
  stored.created_at = created_at ? *created_at : made_at(stored.claim.id);
  return stored;
}

}  // namespace

auto ClaimStore::reader(const domain::TenantId& tenant) const {
  return [this, &tenant](const sql::Row& row) { return read_claim(row, cells_, tenant); };
}

std::optional<ports::StoredClaim> ClaimStore::find(const domain::TenantId& tenant, std::string_view reference) const {
  auto found =
      session_.first(reader(tenant), "SELECT " CLAIM_COLUMNS " FROM claims WHERE claim_lookup = ? AND tenant = ?",
                     cells_.claim_lookup(tenant, reference), tenant.text());
  if (found || !domain::ClaimId::parse(reference)) return found;
  return session_.first(reader(tenant), "SELECT " CLAIM_COLUMNS " FROM claims WHERE tenant = ? AND id = ?",
                        tenant.text(), reference);
}

// KEY is a condition with an index that ends with the id. The others are read along that index.
#define CLAIMS(KEY)                                                                                                   \
  "SELECT " CLAIM_COLUMNS " FROM claims WHERE tenant = ? AND " KEY                                                    \
  "id > ? AND id < ? AND (created_at >= ? AND created_at < ? OR created_at IS NULL AND id >= ? AND id < ?) AND (? = " \
  "'' OR status = ?) AND (? = '' OR payer_id = ?) ORDER BY id"

std::vector<ports::StoredClaim> ClaimStore::list(const domain::TenantId& tenant, const ports::ClaimFilter& filter,
                                                 const domain::ListPage& page) const {
  const auto in = rows_of<domain::kind::Claim>(session_, tenant, page);
  const auto status = filter.status ? domain::name_of(*filter.status) : std::string_view();
  const auto found = [&](sql::Sql sql, const auto&... key) {
    return cells_.first_that_open(session_, reader(tenant), page.limit, sql, tenant.text(), key..., in.above, in.below,
                                  in.from, in.before, first_id_at<domain::kind::Claim>(in.from),
                                  first_id_at<domain::kind::Claim>(in.before), status, status, filter.payer_id,
                                  filter.payer_id);
  };
  // An engine would not choose between the indexes by the values: one statement for each.
  if (filter.status) return found(in_order<CLAIMS("status = ? AND "), kOpenRows>(page.order), status);
  if (!filter.payer_id.empty())
    return found(in_order<CLAIMS("payer_id = ? AND "), kOpenRows>(page.order), filter.payer_id);
  return found(in_order<CLAIMS(""), kOpenRows>(page.order));
}

#define STATUS_COLUMNS "version, status, previous, source, reason_code, note, effective_at, updated_at"
#define REPLACED_STATUSES  \
  "SELECT " STATUS_COLUMNS \
  " FROM claim_status_history WHERE tenant = ? AND claim_id = ? AND version > ? AND version < ? ORDER BY version"

std::vector<domain::ClaimStatusRecord> ClaimStore::replaced_statuses(const domain::TenantId& tenant,
                                                                     const domain::ClaimId& claim,
                                                                     std::optional<int> after, domain::ListOrder order,
                                                                     std::size_t limit) const {
  const auto read = [&](const sql::Row& row) {
    ColumnReader in(row);
    domain::ClaimStatusRecord record;
    record.claim = claim;
    record.version = in.number();
    record.status = in.named(domain::claim_status_named);
    record.previous = optional_status(in.optional_text());
    record.source = in.named(domain::status_source_named);
    record.reason_code = in.text();
    record.note = cells_.open(tenant, encrypted::kHistoryNote, row_name(claim.text(), record.version), in.bytes());
    record.effective_at = in.optional_timestamp();
    record.updated_at = in.timestamp();
    return record;
  };
  const bool is_forward = order == domain::ListOrder::oldest_first;
  const int above = is_forward ? after.value_or(0) : 0;
  const int below = is_forward ? std::numeric_limits<int>::max() : after.value_or(std::numeric_limits<int>::max());
  return cells_.first_that_open(session_, read, limit, in_order<REPLACED_STATUSES, kOpenRows>(order), tenant.text(),
                                claim.text(), above, below);
}

int ClaimStore::count_duplicates(const domain::TenantId& tenant, const domain::Claim& claim) const {
  return session_
      .first([](const sql::Row& row) { return static_cast<int>(row.integer(0)); },
             "SELECT COUNT(*) FROM claims WHERE duplicate_key = ? AND tenant = ? AND duplicate_digest = ? AND "
             "claim_lookup <> ?",
             duplicate_number(claim), tenant.text(), claim.duplicate_key,
             cells_.claim_lookup(tenant, claim.draft.claim_identifier))
      .value_or(0);
}

void ClaimStore::insert(const domain::TenantId& tenant, const ports::StoredClaim& stored) {
  const auto& draft = stored.claim.draft;
  const auto& status = stored.status;
  const auto& name = stored.claim.id.text();
  insert_row<"claims", "tenant, claim_lookup, duplicate_key, " CLAIM_COLUMNS>(
      session_, tenant.text(), cells_.claim_lookup(tenant, draft.claim_identifier), duplicate_number(stored.claim),
      name, cells_.seal(tenant, encrypted::kClaimIdentifier, name, draft.claim_identifier), draft.facility,
      cells_.seal(tenant, encrypted::kClaimChart, name, draft.chart_identifier.reveal()), days(draft.date_of_service),
      days(draft.date_of_submission), draft.servicer_npi, draft.billing_npi, draft.payer_id,
      draft.submitted_amount.cents(),
      cells_.seal(tenant, encrypted::kClaimLines, name, claim_content_column(draft.service_lines, draft.details)),
      stored.claim.duplicate_key, domain::name_of(status.status), name_of(status.previous), status.version,
      domain::name_of(status.source), status.reason_code, cells_.seal(tenant, encrypted::kClaimNote, name, status.note),
      ms(status.effective_at), status.updated_at.ms(), stored.revision, stored.created_at.ms());
}

bool ClaimStore::replace(const domain::TenantId& tenant, const ports::StoredClaim& known, const domain::Claim& claim,
                         domain::Timestamp now) {
  const auto& draft = claim.draft;
  const auto& id = known.claim.id.text();
  const bool is_replaced =
      session_.run(
          "UPDATE claims SET facility = ?, chart_identifier = ?, date_of_service = ?, date_of_submission = ?, "
          "servicer_npi = ?, billing_npi = ?, payer_id = ?, submitted_cents = ?, service_lines = ?, "
          "duplicate_key = ?, duplicate_digest = ?, replaced_at = ?, revision = revision + 1 "
          "WHERE tenant = ? AND id = ? AND revision = ? AND status_version = ?",
          draft.facility, cells_.seal(tenant, encrypted::kClaimChart, id, draft.chart_identifier.reveal()),
          days(draft.date_of_service), days(draft.date_of_submission), draft.servicer_npi, draft.billing_npi,
          draft.payer_id, draft.submitted_amount.cents(),
          cells_.seal(tenant, encrypted::kClaimLines, id, claim_content_column(draft.service_lines, draft.details)),
          duplicate_number(claim), claim.duplicate_key, now.ms(), tenant.text(), id, known.revision,
          known.status.version) > 0;
  if (!is_replaced) return false;
  const auto& was = known.claim.draft;
  const auto name = row_name(id, known.revision);
  insert_row<"claim_versions", "tenant, claim_id, revision, " VERSION_COLUMNS>(
      session_, tenant.text(), id, known.revision, was.facility,
      cells_.seal(tenant, encrypted::kVersionChart, name, was.chart_identifier.reveal()), days(was.date_of_service),
      days(was.date_of_submission), was.servicer_npi, was.billing_npi, was.payer_id, was.submitted_amount.cents(),
      cells_.seal(tenant, encrypted::kVersionLines, name, claim_content_column(was.service_lines, was.details)));
  return true;
}

std::optional<domain::ClaimDraft> ClaimStore::draft_of(const domain::TenantId& tenant, const domain::ClaimId& claim,
                                                       std::optional<int> revision) const {
  auto now = session_.first(reader(tenant), "SELECT " CLAIM_COLUMNS " FROM claims WHERE tenant = ? AND id = ?",
                            tenant.text(), claim.text());
  if (!now) return std::nullopt;
  auto& draft = now->claim.draft;
  if (now->revision == revision.value_or(0)) return std::move(draft);
  const auto earlier = session_.first(
      [&](const sql::Row& row) {
        ColumnReader in(row);
        const int number = in.number();
        const auto name = row_name(claim.text(), number);
        draft.facility = in.text();
        draft.chart_identifier =
            domain::Sensitive<std::string>(cells_.open(tenant, encrypted::kVersionChart, name, in.bytes()));
        draft.date_of_service = in.optional_date();
        draft.date_of_submission = in.optional_date();
        draft.servicer_npi = in.text();
        draft.billing_npi = in.text();
        draft.payer_id = in.text();
        draft.submitted_amount = in.money();
        draft.service_lines.clear();
        draft.details = {};
        read_claim_content(cells_.open(tenant, encrypted::kVersionLines, name, in.bytes()), draft);
        return number;
      },
      "SELECT revision, " VERSION_COLUMNS
      " FROM claim_versions WHERE tenant = ? AND claim_id = ? AND revision >= ? ORDER BY revision LIMIT 1",
      tenant.text(), claim.text(), revision.value_or(0));
  // It was replaced before versions were kept: the earliest known version is the current one.
  if (revision && earlier != revision) return std::nullopt;
  return std::move(draft);
}

void ClaimStore::guard(const domain::TenantId& tenant, const domain::ClaimId& claim) {
  session_.run("UPDATE claims SET guard = guard + 1 WHERE tenant = ? AND id = ?", tenant.text(), claim.text());
}

bool ClaimStore::move(const domain::TenantId& tenant, const domain::ClaimStatusRecord& next) {
  const auto current =
      session_.first(reader(tenant), "SELECT " CLAIM_COLUMNS " FROM claims WHERE tenant = ? AND id = ?", tenant.text(),
                     next.claim.text());
  if (!current || current->status.version != next.version - 1) return false;
  const auto& leaving = current->status;
  const auto moved = session_.run(
      "UPDATE claims SET status = ?, status_previous = ?, status_version = ?, status_source = ?, "
      "status_reason_code = ?, status_note = ?, status_effective_at = ?, status_updated_at = ? "
      "WHERE tenant = ? AND id = ? AND status_version = ?",
      domain::name_of(next.status), name_of(next.previous), next.version, domain::name_of(next.source),
      next.reason_code, cells_.seal(tenant, encrypted::kClaimNote, next.claim.text(), next.note), ms(next.effective_at),
      next.updated_at.ms(), tenant.text(), next.claim.text(), next.version - 1);
  if (moved == 0) return false;  // another transaction was first
  insert_row<"claim_status_history", "tenant, claim_id, " STATUS_COLUMNS>(
      session_, tenant.text(), next.claim.text(), leaving.version, domain::name_of(leaving.status),
      name_of(leaving.previous), domain::name_of(leaving.source), leaving.reason_code,
      cells_.seal(tenant, encrypted::kHistoryNote, row_name(next.claim.text(), leaving.version), leaving.note),
      ms(leaving.effective_at), leaving.updated_at.ms());
  return true;
}

}  // namespace tideover::store
