#include "core/journal/line.hpp"

#include <charconv>
#include <span>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"

namespace tideover::journal {
namespace {

constexpr std::size_t kHashDigits = 32;

std::string hash_of(std::string_view text) {
  const auto digest = crypto::sha256(text);
  return crypto::hex_encode(std::span(digest).first(kHashDigits / 2));
}

struct Body {
  std::string operator()(const Begun& begun) const {
    return "begun " + at(begun.at) + ' ' + std::to_string(begun.dropped);
  }
  std::string operator()(const ports::JournalledSend& send) const {
    return "sent " + at(send.at) + ' ' + send.tenant.text() + ' ' + send.subject.text() + ' ' +
           std::string(name_of(send.purpose)) + ' ' + std::to_string(send.attempt) + ' ' + send.rail + ' ' + send.key +
           ' ' + std::to_string(send.amount.cents()) + ' ' + std::to_string(send.epoch) +
           (send.claim.empty() ? "" : ' ' + send.claim);
  }
  std::string operator()(const Outcome& outcome) const {
    return "outcome " + at(outcome.at) + ' ' + outcome.key + ' ' + std::string(name_of(outcome.state));
  }
  std::string operator()(const Cut& cut) const { return "cut " + at(cut.at) + ' ' + std::to_string(cut.bytes); }
  std::string operator()(const Resumed& resumed) const { return "resumed " + at(resumed.at); }

  static std::string at(domain::Timestamp when) { return std::to_string(when.ms()); }
};

/// Reads the words of a line in order; a missing word or an invalid number makes the whole line invalid.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  std::string_view next() {
    const auto end = rest_.find(' ');
    const auto word = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    good_ = good_ && !word.empty();
    return word;
  }
  template <class Number>
  Number number() {
    const auto word = next();
    Number value{};
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    good_ = good_ && read.ec == std::errc() && read.ptr == word.data() + word.size();
    return value;
  }
  domain::Timestamp at() { return domain::Timestamp::from_ms(number<std::int64_t>()); }
  bool more() const { return !rest_.empty(); }
  bool complete() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

std::optional<Entry> read_entry(std::string_view body) {
  Words words(body);
  const auto kind = words.next();
  Entry entry;
  if (kind == "begun") {
    Begun begun{words.at()};
    begun.dropped = words.number<std::uint64_t>();
    entry = begun;
  } else if (kind == "sent") {
    ports::JournalledSend send;
    send.at = words.at();
    const auto tenant = domain::TenantId::parse(words.next());
    const auto subject = words.next();
    const auto purpose = domain::purpose_named(words.next());
    if (!tenant || !purpose) return std::nullopt;
    if (*purpose != domain::Purpose::payable && !domain::SettlementId::parse(subject)) return std::nullopt;
    send.tenant = *tenant;
    send.subject = domain::PaymentSubject::trusted(*purpose, std::string(subject));
    send.purpose = *purpose;
    send.attempt = words.number<int>();
    send.rail = words.next();
    send.key = words.next();
    send.amount = domain::Money::cents(words.number<std::int64_t>());
    send.epoch = words.number<int>();
    if (words.more()) send.claim = words.next();  // entries of earlier versions have none
    entry = std::move(send);
  } else if (kind == "outcome") {
    Outcome outcome{words.at(), std::string(words.next())};
    const auto state = domain::attempt_state_named(words.next());
    if (!state) return std::nullopt;
    outcome.state = *state;
    entry = std::move(outcome);
  } else if (kind == "cut") {
    Cut cut{words.at()};
    cut.bytes = words.number<std::uint64_t>();
    entry = cut;
  } else if (kind == "resumed") {
    entry = Resumed{words.at()};
  } else {
    return std::nullopt;
  }
  return words.complete() ? std::optional(std::move(entry)) : std::nullopt;
}

}  // namespace

std::string write_line(const Entry& entry, std::string& hash) {
  const std::string text = hash + ' ' + std::visit(Body{}, entry);
  hash = hash_of(text);
  return hash + ' ' + text + '\n';
}

std::optional<Line> read_line(std::string_view text) {
  if (text.size() > kLongestLine || text.size() < 2 * kHashDigits + 2 || text[kHashDigits] != ' ' ||
      text[2 * kHashDigits + 1] != ' ')
    return std::nullopt;
  const auto hash = text.substr(0, kHashDigits);
  const auto hashed = text.substr(kHashDigits + 1);
  if (hash_of(hashed) != hash) return std::nullopt;
  auto entry = read_entry(hashed.substr(kHashDigits + 1));
  if (!entry) return std::nullopt;
  return Line{std::string(hash), std::string(hashed.substr(0, kHashDigits)), std::move(*entry)};
}

}  // namespace tideover::journal
