#include "core/domain/reviews/learning.hpp"

#include <charconv>
#include <stdexcept>

namespace tideover::domain {
namespace {

constexpr char kReview = 1, kAnswer = 2, kPostedAnswer = 3;
constexpr std::size_t kUlidBytes = 16, kPositionBytes = 4, kDayBytes = 4;
constexpr std::string_view kSnapshot = "est:";
constexpr std::size_t kSnapshotDigits = 16;

void put(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = bytes; i-- > 0;) out += static_cast<char>(value >> (8 * i) & 0xff);
}

std::uint64_t take(std::string_view& in, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(in[i]);
  in.remove_prefix(bytes);
  return value;
}

template <class Kind>
void put(std::string& out, const Id<Kind>& id) {
  const auto value = parse_ulid(std::string_view(id.text()).substr(Kind::kPrefix.size()));
  if (!value) throw std::logic_error("not an identifier: " + id.text());
  put(out, value->high, kUlidBytes / 2);
  put(out, value->low, kUlidBytes / 2);
}

template <class Name>
Name take_id(std::string_view& in) {
  const auto high = take(in, kUlidBytes / 2);
  return Name::of({high, take(in, kUlidBytes / 2)});
}

}  // namespace

std::string snapshot_id(std::int64_t seq, std::string_view sha256) {
  return std::string(kSnapshot) + std::to_string(seq) + ':' + std::string(sha256.substr(0, kSnapshotDigits));
}

std::optional<std::int64_t> snapshot_seq(std::string_view id) {
  if (!id.starts_with(kSnapshot)) return std::nullopt;
  id.remove_prefix(kSnapshot.size());
  std::int64_t seq = 0;
  const auto read = std::from_chars(id.data(), id.data() + id.size(), seq);
  if (read.ec != std::errc() || seq <= 0 || read.ptr == id.data() + id.size() || *read.ptr != ':') return std::nullopt;
  return seq;
}

std::string packed(const std::vector<LearningEntry>& entries) {
  std::string out;
  for (const auto& entry : entries) {
    if (const auto* review = std::get_if<ReviewObserved>(&entry)) {
      out += kReview;
      put(out, review->authorization);
    } else {
      const auto& answer = std::get<AnswerObserved>(entry);
      out += answer.posted ? kPostedAnswer : kAnswer;
      put(out, answer.remittance);
      put(out, static_cast<std::uint64_t>(answer.position), kPositionBytes);
      put(out, answer.claim);
      if (answer.posted) put(out, static_cast<std::uint32_t>(answer.posted->days()), kDayBytes);
    }
  }
  return out;
}

std::optional<std::vector<LearningEntry>> unpacked(std::string_view bytes) {
  std::vector<LearningEntry> entries;
  while (!bytes.empty()) {
    const char kind = bytes.front();
    bytes.remove_prefix(1);
    if (kind == kReview && bytes.size() >= kUlidBytes) {
      entries.emplace_back(ReviewObserved{take_id<AuthorizationId>(bytes)});
    } else if ((kind == kAnswer || kind == kPostedAnswer) &&
               bytes.size() >= 2 * kUlidBytes + kPositionBytes + (kind == kPostedAnswer ? kDayBytes : 0)) {
      AnswerObserved answer;
      answer.remittance = take_id<RemittanceId>(bytes);
      answer.position = static_cast<int>(take(bytes, kPositionBytes));
      answer.claim = take_id<ClaimId>(bytes);
      if (kind == kPostedAnswer) answer.posted = Date::from_days(static_cast<std::int32_t>(take(bytes, kDayBytes)));
      entries.emplace_back(std::move(answer));
    } else {
      return std::nullopt;
    }
  }
  return entries;
}

}  // namespace tideover::domain
