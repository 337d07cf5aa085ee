#include "core/usecases/matching/post_in_chunks.hpp"

#include "core/faults/crash_point.hpp"
#include "core/usecases/matching/match_payments.hpp"

namespace tideover::usecases {
namespace {

constexpr std::size_t kMostResumed = 100;

/// Conflicts in a row after which the posting is left to resume().
constexpr int kMostConflicts = 10;

/// All claims are done: ends the posting, or starts over when something changed that claims before may wait for.
/// Returns whether it ended.
bool end(ports::Records& records, const domain::TenantId& tenant, domain::RemittancePosting posting) {
  if (!posting.again) {
    records.postings().remove(tenant, posting.remittance);
    return true;
  }
  posting.phase = domain::PostingPhase::takebacks;
  posting.next = 0;
  ++posting.revision;
  records.postings().move(tenant, posting);
  records.postings().set_again(tenant, posting.remittance, false);
  return false;
}

}  // namespace

domain::Status PostInChunks::operator()(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                                        domain::Timestamp now) {
  for (int conflicts = 0;;) {
    auto opened = open(tenant, remittance);
    if (!opened) return opened.error();
    if (!*opened) return {};
    for (bool is_current = true; is_current;) {
      const auto step = post_next(tenant, **opened, now);
      if (!step && (step.error().code != domain::ErrorCode::conflict || ++conflicts > kMostConflicts))
        return step.error();
      if (step && *step == Step::ended) return {};
      is_current = step && *step == Step::moved;
    }
  }
}

domain::Result<std::optional<OpenPosting>> PostInChunks::open(const domain::TenantId& tenant,
                                                              const domain::RemittanceId& remittance) {
  struct Seen {
    std::optional<domain::RemittancePosting> posting;
    std::optional<domain::Remittance> remittance;
    std::vector<domain::AllocationRow> rows;
  };
  auto seen = fetch(store_, [&](const ports::Records& records) {
    Seen now_seen{records.postings().find(tenant, remittance), {}, {}};
    if (!now_seen.posting) return now_seen;
    now_seen.remittance = records.remittances().find(tenant, remittance);
    now_seen.rows = records.allocations().of(tenant, remittance);
    return now_seen;
  });
  if (!seen) return seen.error();
  if (!seen->posting || !seen->remittance) return std::optional<OpenPosting>();
  return std::optional<OpenPosting>(std::in_place, std::move(*seen->posting), std::move(*seen->remittance),
                                    std::move(seen->rows));
}

domain::Result<PostInChunks::Step> PostInChunks::post_next(const domain::TenantId& tenant, OpenPosting& open,
                                                           domain::Timestamp now) {
  const auto positions = open.next_chunk(sizes_.chunk);
  const bool is_end = positions.empty() && open.posting().phase == domain::PostingPhase::rest;
  const auto moved = is_end ? open.posting() : open.moved_past(positions, now);
  auto step = Step::moved;
  PostedChunk chunk;
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        step = Step::moved;
        chunk = {};
        records.clients().guard_matching(tenant);
        const auto posting = records.postings().find(tenant, open.posting().remittance);
        if (!posting || posting->revision != open.posting().revision) {
          step = posting ? Step::read_again : Step::ended;
          return {};
        }
        if (is_end) {
          step = end(records, tenant, *posting) ? Step::ended : Step::read_again;
          faults::crash_point("posting.ended");
          return {};
        }
        MatchPayments matching({records, tenant, now, ids_, rules_});
        chunk = matching.post_chunk(open, positions);
        if (chunk.is_whole)
          step = Step::ended;
        else
          records.postings().move(tenant, moved);
        faults::crash_point("posting.chunk");
        return {};
      },
      ports::Priority::bulk);
  faults::crash_point("posting.chunk.committed");
  if (!done) return done.error();
  if (step == Step::moved) open.take(chunk, moved);
  return step;
}

domain::Result<int> PostInChunks::resume(domain::Timestamp now, const std::function<bool()>& stopping) {
  const auto stalled = fetch(store_, [&](const ports::Records& records) {
    return records.postings().stalled(domain::Timestamp::from_ms(now.ms() - kStalledAfterMs), kMostResumed);
  });
  if (!stalled) return stalled.error();
  int finished = 0;
  for (const auto& [tenant, remittance] : *stalled) {
    if (stopping()) break;
    if (const auto done = (*this)(tenant, remittance, now); !done) return done.error();
    ++finished;
  }
  return finished;
}

}  // namespace tideover::usecases
