#include "core/store/records/reconciliation/match_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"
#include "core/store/records/rows/record_text.hpp"

namespace tideover::store {
namespace {

#define MATCH_COLUMNS "subject_id, id, claim_position, step, candidate_id, verdict, reasons, at"

/// A remittance may have thousands of claims with one number.
constexpr std::int64_t kClaimsLookedThrough = 100'000;

std::string reasons_column(const domain::MatchReasons& reasons) {
  RecordWriter out;
  for (const auto& reason : reasons) out.text(reason).end_record();
  return out.take();
}

domain::MatchReasons reasons_of(const std::string& column) {
  domain::MatchReasons reasons;
  for (RecordReader in(column); in.next();) reasons.push_back(in.text());
  return reasons;
}

/// A reviewer's decision has the task that it closed as its first reason.
std::optional<std::string> task_of(const domain::MatchCandidate& candidate) {
  const bool is_decided = candidate.step == domain::MatchStep::person && !candidate.reasons.empty();
  return is_decided ? std::optional(candidate.reasons.front()) : std::nullopt;
}

domain::MatchCandidate read_candidate(const sql::Row& row) {
  ColumnReader in(row);
  domain::MatchCandidate candidate;
  candidate.subject = in.text();
  candidate.id = in.id<domain::MatchCandidateId>();
  if (const auto position = in.optional_integer()) candidate.claim = static_cast<int>(*position);
  candidate.step = in.named(domain::match_step_named);
  candidate.candidate = in.optional_text().value_or("");
  candidate.verdict = in.named(domain::match_verdict_named);
  candidate.reasons = reasons_of(in.text());
  candidate.at = in.timestamp();
  return candidate;
}

}  // namespace

void MatchStore::insert(const domain::TenantId& tenant, const domain::MatchCandidate& candidate) {
  insert_row<"match_candidates", "tenant, " MATCH_COLUMNS ", task_id">(
      session_, tenant.text(), candidate.subject, candidate.id.text(),
      candidate.claim ? std::optional<std::int64_t>(*candidate.claim) : std::nullopt, domain::name_of(candidate.step),
      text_or_null(candidate.candidate), domain::name_of(candidate.verdict), reasons_column(candidate.reasons),
      candidate.at.ms(), task_of(candidate));
}

std::vector<domain::MatchCandidate> MatchStore::of_subject(const domain::TenantId& tenant, std::string_view subject,
                                                           std::optional<int> claim, std::size_t limit) const {
  return all(session_, read_candidate,
             "SELECT " MATCH_COLUMNS
             " FROM match_candidates WHERE tenant = ? AND subject_id = ? AND (claim_position IS NULL OR claim_position "
             "= ?) ORDER BY id LIMIT ?",
             tenant.text(), subject, std::int64_t{claim.value_or(-1)}, rows(limit));
}

std::vector<domain::MatchCandidate> MatchStore::decided(const domain::TenantId& tenant,
                                                        std::string_view subject) const {
  return all(session_, read_candidate,
             "SELECT " MATCH_COLUMNS
             " FROM match_candidates WHERE tenant = ? AND subject_id = ? AND claim_position IS NULL AND verdict <> "
             "'rejected' ORDER BY id",
             tenant.text(), subject);
}

std::vector<domain::MatchCandidate> MatchStore::of_candidate(const domain::TenantId& tenant, std::string_view candidate,
                                                             std::size_t limit) const {
  return all(session_, read_candidate,
             "SELECT " MATCH_COLUMNS " FROM match_candidates WHERE tenant = ? AND candidate_id = ? ORDER BY id LIMIT ?",
             tenant.text(), candidate, rows(limit));
}

std::vector<domain::RemittanceId> MatchStore::remittances_about(const domain::TenantId& tenant,
                                                                const domain::SettlementId& settlement,
                                                                std::size_t limit) const {
  return all(
      session_, [](const sql::Row& row) { return domain::RemittanceId::trusted(row.text(0)); },
      "SELECT DISTINCT subject_id FROM (SELECT subject_id FROM match_candidates WHERE tenant = ? AND candidate_id = ? "
      "AND claim_position IS NOT NULL ORDER BY id DESC LIMIT ?) latest LIMIT ?",
      tenant.text(), settlement.text(), kClaimsLookedThrough, rows(limit));
}

std::vector<domain::RemittanceId> MatchStore::held_recoveries(const domain::TenantId& tenant,
                                                              const domain::SettlementId& settlement,
                                                              std::size_t limit) const {
  return all(
      session_, [](const sql::Row& row) { return domain::RemittanceId::trusted(row.text(0)); },
      "SELECT m.subject_id FROM match_candidates m WHERE m.tenant = ? AND m.candidate_id = ? AND m.claim_position IS "
      "NULL AND m.reasons = ? AND COALESCE((SELECT SUM(CASE WHEN a.undoes IS NULL THEN 1 ELSE -1 END) FROM allocations "
      "a WHERE a.tenant = m.tenant AND a.remittance_id = m.subject_id AND a.line = 'provider_adjustment'), 0) = 0 "
      "ORDER "
      "BY m.id DESC LIMIT ?",
      tenant.text(), settlement.text(), reasons_column({domain::mismatch::kTakenBeyond}), rows(limit));
}

std::vector<std::pair<int, domain::SettlementId>> MatchStore::asked_alike(
    const domain::TenantId& tenant, const domain::RemittanceId& remittance) const {
  return all(
      session_,
      [](const sql::Row& row) {
        ColumnReader in(row);
        const int claim = in.number();
        return std::pair(claim, in.id<domain::SettlementId>());
      },
      "SELECT DISTINCT claim_position, candidate_id FROM match_candidates WHERE tenant = ? AND subject_id = ? AND step "
      "= ? AND claim_position IS NOT NULL "
      "AND candidate_id IS NOT NULL",
      tenant.text(), remittance.text(), domain::name_of(domain::MatchStep::scored_search));
}

std::optional<domain::MatchStep> MatchStore::joined_by(const domain::TenantId& tenant, std::string_view one,
                                                       std::string_view other) const {
  std::optional<domain::MatchCandidate> last;
  for (const auto& [subject, candidate] : {std::pair(one, other), std::pair(other, one)}) {
    auto found = session_.first(read_candidate,
                                "SELECT " MATCH_COLUMNS
                                " FROM match_candidates WHERE tenant = ? AND candidate_id = ? AND subject_id = ? AND "
                                "verdict = 'taken' ORDER BY id DESC LIMIT 1",
                                tenant.text(), candidate, subject);
    if (found && (!last || last->id < found->id)) last = std::move(found);
  }
  return last ? std::optional(last->step) : std::nullopt;
}

std::vector<domain::MatchCandidate> MatchStore::of_task(const domain::TenantId& tenant,
                                                        const domain::TaskId& task) const {
  return all(session_, read_candidate,
             "SELECT " MATCH_COLUMNS " FROM match_candidates WHERE tenant = ? AND task_id = ? ORDER BY id",
             tenant.text(), task.text());
}

}  // namespace tideover::store
