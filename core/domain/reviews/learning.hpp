// Entries of the learning journal, in the order of learning. A batch names records and does not repeat them. Applying
// the batches of a tenant in order gives the same model on every node and at any later time.
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

/// A review was made.
struct ReviewObserved {
  AuthorizationId authorization;
  friend bool operator==(const ReviewObserved&, const ReviewObserved&) = default;
};
/// A payer answered a known claim: one claim of a remittance. The claim was resolved when the entry was written.
struct AnswerObserved {
  RemittanceId remittance;
  int position = 0;
  ClaimId claim;
  std::optional<Date> posted{};  // the bank's date of its money, if known then; resolved likewise
  friend bool operator==(const AnswerObserved&, const AnswerObserved&) = default;
};
using LearningEntry = std::variant<ReviewObserved, AnswerObserved>;

struct LearningBatch {
  std::int64_t seq = 0;  // from 1, without gaps
  Timestamp made_at;
  Timestamp observed_until;        // everything older was read; never falls
  std::optional<Date> closes_day;  // after the entries: the day is over
  std::vector<LearningEntry> entries;
  std::string sha256;        // of the previous batch and this content, 64 hexadecimal digits
  std::string state_digest;  // digest of the model before this batch; empty: unknown
};

/// An entry that no node learns from, because it is unusable or could not be applied.
struct SetAside {
  std::int64_t seq = 0;   // of its batch
  std::size_t entry = 0;  // position in the batch, from 0; after the last one: the end of the day
  std::string object_id;  // the remittance or authorization that it names; empty for the end of a day
  std::string reason;     // a clause: "a service line is paid below zero"
  friend bool operator==(const SetAside&, const SetAside&) = default;
};

/// The name of the model after a batch: "est:7:0123456789abcdef".
std::string snapshot_id(std::int64_t seq, std::string_view sha256);
/// The number of its batch; nullopt for an invalid name.
std::optional<std::int64_t> snapshot_seq(std::string_view id);

/// 17 bytes per review, 37 per answer, 41 per answer whose money was known.
std::string packed(const std::vector<LearningEntry>& entries);
/// nullopt: damaged.
std::optional<std::vector<LearningEntry>> unpacked(std::string_view bytes);

}  // namespace tideover::domain
