#include "core/store/match_store.hpp"

#include "core/store/columns.hpp"
#include "core/store/record_text.hpp"

namespace tideover::store {
namespace {

#define MATCH_COLUMNS "subject_id, id, claim_position, step, candidate_id, verdict, reasons, at"

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
  session_.run("INSERT INTO match_candidates (tenant, " MATCH_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", tenant.text(), candidate.subject,
               candidate.id.text(), candidate.claim ? std::optional<std::int64_t>(*candidate.claim) : std::nullopt, domain::name_of(candidate.step),
               text_or_null(candidate.candidate), domain::name_of(candidate.verdict), reasons_column(candidate.reasons), candidate.at.ms());
}

std::vector<domain::MatchCandidate> MatchStore::of_subject(const domain::TenantId& tenant, std::string_view subject, std::optional<int> claim,
                                                           std::size_t limit) const {
  return all(session_, read_candidate,
             "SELECT " MATCH_COLUMNS
             " FROM match_candidates WHERE tenant = ? AND subject_id = ? AND (claim_position IS NULL OR claim_position = ?) ORDER BY id LIMIT ?",
             tenant.text(), subject, std::int64_t{claim.value_or(-1)}, rows(limit));
}

std::vector<domain::MatchCandidate> MatchStore::of_candidate(const domain::TenantId& tenant, std::string_view candidate, std::size_t limit) const {
  return all(session_, read_candidate, "SELECT " MATCH_COLUMNS " FROM match_candidates WHERE tenant = ? AND candidate_id = ? ORDER BY id LIMIT ?",
             tenant.text(), candidate, rows(limit));
}

}  // namespace tideover::store
