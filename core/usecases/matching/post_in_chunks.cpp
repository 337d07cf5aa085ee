#include "core/usecases/matching/post_in_chunks.hpp"

#include "core/faults/crash_point.hpp"
#include "core/usecases/allocation/learn_payee.hpp"
#include "core/usecases/matching/match_payments.hpp"

namespace tideover::usecases {
namespace {

constexpr std::size_t kMostResumed = 100;

/// Conflicts of one chunk after which the posting is left to resume().
constexpr int kMostConflicts = 10;

/// All claims are done: ends the posting, or starts over when something changed that claims before may wait for.
/// Returns whether it ended.
bool end(const UnitOfWork& unit, domain::RemittancePosting posting) {
  auto& [records, tenant, now, ids, rules] = unit;
  if (!posting.again) {
    records.postings().remove(tenant, posting.remittance);
    return true;
  }
  MatchPayments(unit).close_answered_question(posting.remittance);
  posting.phase = domain::PostingPhase::takebacks;
  posting.next = 0;
  ++posting.revision;
  records.postings().move(tenant, posting);
  records.postings().set_again(tenant, posting.remittance, false);
  return false;
}

domain::Timestamp later(domain::Timestamp now, std::chrono::steady_clock::time_point began) {
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
  return domain::Timestamp::from_ms(now.ms() + elapsed.count());
}

}  // namespace

domain::Status PostInChunks::operator()(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                                        domain::Timestamp now) {
  return post(tenant, remittance, now, std::chrono::steady_clock::now());
}

domain::Status PostInChunks::post(const domain::TenantId& tenant, const domain::RemittanceId& remittance,
                                  domain::Timestamp now, std::chrono::steady_clock::time_point began) {
  for (int conflicts = 0;;) {
    auto opened = open(tenant, remittance);
    if (!opened) return opened.error();
    if (!*opened) return {};
    for (bool is_current = true; is_current;) {
      // `now` stays the time of the postings; that of the last chunk shows whether it still runs.
      const auto step = post_next(tenant, **opened, now, later(now, began));
      if (!step && (step.error().code != domain::ErrorCode::conflict || ++conflicts > kMostConflicts))
        return step.error();
      if (step && *step == Step::ended) return {};
      if (step && *step == Step::moved) conflicts = 0;
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
    NamesOfPayee names;
    AnsweredAdvances answered;
  };
  auto seen = fetch(store_, [&](const ports::Records& records) {
    Seen now_seen;
    now_seen.posting = records.postings().find(tenant, remittance);
    if (!now_seen.posting) return now_seen;
    now_seen.remittance = records.remittances().find(tenant, remittance);
    if (!now_seen.remittance) return now_seen;
    now_seen.rows = records.allocations().of(tenant, remittance);
    now_seen.names = names_of_payee(records, tenant, *now_seen.remittance);
    now_seen.answered = answered_before(records, tenant, *now_seen.remittance);
    return now_seen;
  });
  if (!seen) return seen.error();
  if (!seen->posting || !seen->remittance) return std::optional<OpenPosting>();
  return std::optional<OpenPosting>(std::in_place, std::move(*seen->posting), std::move(*seen->remittance),
                                    std::move(seen->rows), std::move(seen->names), std::move(seen->answered));
}

domain::Result<PostInChunks::Step> PostInChunks::post_next(const domain::TenantId& tenant, OpenPosting& open,
                                                           domain::Timestamp now, domain::Timestamp moved_at) {
  const auto positions = open.next_chunk(sizes_.chunk);
  const bool is_end = positions.empty() && open.posting().phase == domain::PostingPhase::rest;
  const auto moved = is_end ? open.posting() : open.moved_past(positions, moved_at);
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
          step = end({records, tenant, now, ids_, rules_}, *posting) ? Step::ended : Step::read_again;
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

domain::Result<int> PostInChunks::resume(const ports::Clock& clock, const std::function<bool()>& stopping) {
  const auto stalled = fetch(store_, [&](const ports::Records& records) {
    return records.postings().stalled(clock.now().plus_ms(-kStalledAfterMs), kMostResumed);
  });
  if (!stalled) return stalled.error();
  int finished = 0;
  domain::Status failed;
  for (const auto& [tenant, remittance] : *stalled) {
    if (stopping()) break;
    const auto now = now_of(clock, tenant);
    const auto began = std::chrono::steady_clock::now();
    if (auto done = post(tenant, remittance, now, began)) {
      ++finished;
      continue;
    } else if (failed) {
      failed = std::move(done);
    }
    const auto postponed = store_.commit(
        [&](ports::Records& records) -> domain::Status {
          records.postings().postpone(tenant, remittance, later(now, began));
          return {};
        },
        ports::Priority::bulk);
    if (!postponed) break;
  }
  if (!failed) return failed.error();
  return finished;
}

}  // namespace tideover::usecases
