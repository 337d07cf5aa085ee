// Verifies all hash chains of one table against their own hashes and the checkpoints. Reads page by page: rows are only
// added, so the pages need not belong to one snapshot.
#pragma once
#include <algorithm>

#include "core/ports/checkpoints.hpp"
#include "core/ports/store.hpp"
#include "core/usecases/audit/verification.hpp"

namespace tideover::usecases {

inline constexpr std::string_view kLedgerTable = "ledger";
inline constexpr std::string_view kAuditTable = "audit";

/// The name of a row in a report.
std::string row_name(std::string_view table, const std::string& chain, const ports::ChainLink& link);

/// Follows one chain. Rows must be passed in order.
class ChainWalk {
 public:
  ChainWalk(std::string_view table, std::string chain, const std::vector<ports::NotedHead>* noted, Verification& found)
      : table_(table), noted_(noted), found_(found) {
    last_.chain = std::move(chain);
  }
  void step(const ports::ChainLink& link);
  /// After the last row.
  void end();
  const ports::ChainHead& last() const { return last_; }

 private:
  std::string_view table_;
  const std::vector<ports::NotedHead>* noted_;
  Verification& found_;
  ports::ChainHead last_;
  std::size_t next_note_ = 0;
};

domain::Error verification_stopped();

/// `reader_of(records)` is the table's ChainReader. `on_link(chain, link)` also sees each row.
template <class ReaderOf, class OnLink>
domain::Status walk_chains(ports::Store& store, const ports::Checkpoints& checkpoints, std::string_view table,
                           ReaderOf reader_of, Verification& found, const VerificationProgress& progress,
                           OnLink on_link) {
  constexpr std::size_t kPage = 500;
  const auto trail = checkpoints.trail(table);  // before the rows, which only grow
  if (!trail) return trail.error();
  found.checkpoints = trail->checkpoints;
  found.newest_checkpoint = trail->newest;
  found.restored = trail->restored;
  for (const auto& fault : trail->faults) found.add("the checkpoint file", fault);

  const auto heads = fetch(store, [&](const ports::Records& records) { return reader_of(records).heads(); });
  if (!heads) return heads.error();
  found.chains = static_cast<std::int64_t>(heads->size());
  for (const auto& head : *heads) {
    const auto noted = trail->chains.find(head.chain);
    ChainWalk walk(table, head.chain, noted == trail->chains.end() ? nullptr : &noted->second, found);
    for (bool more = true; more;) {
      const auto count = fetch(store, [&](const ports::Records& records) {
        const auto links = reader_of(records).links(walk.last(), kPage);
        for (const auto& link : links) {
          walk.step(link);
          on_link(head.chain, link);
        }
        return links.size();
      });
      if (!count) return count.error();
      found.rows += static_cast<std::int64_t>(*count);
      more = *count == kPage;
      if (more && !progress(std::string(table) + " chain " + head.chain + ": " + std::to_string(walk.last().position) +
                            " rows"))
        return verification_stopped();
    }
    walk.end();
  }
  for (const auto& [chain, notes] : trail->chains)
    if (std::none_of(heads->begin(), heads->end(), [&seen = chain](const auto& head) { return head.chain == seen; }))
      found.add(std::string(table) + " chain " + chain,
                "is missing, but the checkpoint of " + format_timestamp(notes.back().at) + " has it up to position " +
                    std::to_string(notes.back().position));
  return {};
}

}  // namespace tideover::usecases
