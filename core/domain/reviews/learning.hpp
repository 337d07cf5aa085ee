// What is learned from, in the order in which it is learned. A batch names records, it does not repeat them; who reads
// the batches of a tenant in order and applies them has learned the same, on every node and at any later time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/domain/basics/id.hpp"

namespace tideover::domain {

/// A review that was given.
struct ReviewObserved {
  AuthorizationId authorization;
  friend bool operator==(const ReviewObserved&, const ReviewObserved&) = default;
};
/// What a payer answered to a claim of ours: one claim of a remittance. Whose it is was decided when the entry was
/// written.
struct AnswerObserved {
  RemittanceId remittance;
  int position = 0;
  ClaimId claim;
  std::optional<Date> posted{};  // the bank's day of its money, where that was there already; likewise
  friend bool operator==(const AnswerObserved&, const AnswerObserved&) = default;
};
using LearningEntry = std::variant<ReviewObserved, AnswerObserved>;

struct LearningBatch {
  std::int64_t seq = 0;  // from 1, without gaps
  Timestamp made_at;
  Timestamp observed_until;        // everything older was looked through; never falls
  std::optional<Date> closes_day;  // behind the entries: the day is over
  std::vector<LearningEntry> entries;
  std::string sha256;        // of the batch before it and of this one's content, 64 hexadecimal digits
  std::string state_digest;  // fingerprint of what was learned before this batch; empty: not told
};

/// An entry that no node learns from: it is not usable, or could not be applied.
struct SetAside {
  std::int64_t seq = 0;   // of its batch
  std::size_t entry = 0;  // its place in the batch, from 0; behind the last one: the end of the batch's day
  std::string object_id;  // the remittance or authorization that it names; empty for the end of a day
  std::string reason;     // a clause: "a service line is paid below zero"
  friend bool operator==(const SetAside&, const SetAside&) = default;
};

/// Names everything that was learned up to and with a batch: "est:7:0123456789abcdef".
std::string snapshot_id(std::int64_t seq, std::string_view sha256);
/// The number of its batch; nullopt for what is no snapshot's name.
std::optional<std::int64_t> snapshot_seq(std::string_view id);

/// One byte and 16 for each review, one and 36 for each answer, 40 for one whose money was there.
std::string packed(const std::vector<LearningEntry>& entries);
/// nullopt: damaged.
std::optional<std::vector<LearningEntry>> unpacked(std::string_view bytes);

}  // namespace tideover::domain
