// Typed identifiers: a prefix and 26 Crockford base32 characters of a time-ordered 128-bit value (ULID). Inserts go to
// the end of every index, and the id is the cursor of lists.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tideover::domain {

/// 48 bits of Unix milliseconds, then 80 bits that only grow within one millisecond.
struct Ulid {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr auto operator<=>(const Ulid&, const Ulid&) = default;
};

std::string ulid_text(Ulid value);                      // 26 characters, upper case
std::optional<Ulid> parse_ulid(std::string_view text);  // case-insensitive, no other aliases

/// Milliseconds since 1970 at which the value was made.
constexpr std::int64_t ulid_ms(Ulid value) {
  return static_cast<std::int64_t>(value.high >> 16);
}
/// The first 10 characters, which have only the time: the texts of all values of this millisecond or later are greater.
std::string ulid_time_text(std::int64_t ms);

/// An identifier of one kind of object; `Kind::kPrefix` is, for example, "rev_". Stored and shown as its text.
template <class Kind>
class Id {
 public:
  Id() = default;
  static Id of(Ulid value) { return Id(std::string(Kind::kPrefix) + ulid_text(value)); }
  /// nullopt for another prefix or a malformed body.
  static std::optional<Id> parse(std::string_view text) {
    if (!text.starts_with(Kind::kPrefix)) return std::nullopt;
    const auto value = parse_ulid(text.substr(Kind::kPrefix.size()));
    if (!value) return std::nullopt;
    return of(*value);
  }
  /// For text from our own store.
  static Id trusted(std::string text) { return Id(std::move(text)); }
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  friend auto operator<=>(const Id&, const Id&) = default;

 private:
  explicit Id(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

namespace kind {
struct Tenant {
  static constexpr std::string_view kPrefix = "ten_";
};
struct Client {
  static constexpr std::string_view kPrefix = "cli_";
};
struct ClientSecret {
  static constexpr std::string_view kPrefix = "sec_";
};
struct Claim {
  static constexpr std::string_view kPrefix = "clm_";
};
struct Review {
  static constexpr std::string_view kPrefix = "rev_";
};
struct Authorization {
  static constexpr std::string_view kPrefix = "auth_";
};
struct Settlement {
  static constexpr std::string_view kPrefix = "stl_";
};
struct Transfer {
  static constexpr std::string_view kPrefix = "trf_";
};
struct LedgerTransaction {
  static constexpr std::string_view kPrefix = "ltx_";
};
struct Reconciliation {
  static constexpr std::string_view kPrefix = "rec_";
};
struct Deposit {
  static constexpr std::string_view kPrefix = "dep_";
};
struct BankStatement {
  static constexpr std::string_view kPrefix = "bst_";
};
struct Remittance {
  static constexpr std::string_view kPrefix = "rmt_";
};
struct MatchCandidate {
  static constexpr std::string_view kPrefix = "mch_";
};
struct PayerAlias {
  static constexpr std::string_view kPrefix = "pal_";
};
struct PayeeAlias {
  static constexpr std::string_view kPrefix = "yal_";
};
struct ImportJob {
  static constexpr std::string_view kPrefix = "imp_";
};
struct PickupFile {
  static constexpr std::string_view kPrefix = "pkf_";
};
struct Event {
  static constexpr std::string_view kPrefix = "evt_";
};
struct WebhookEndpoint {
  static constexpr std::string_view kPrefix = "whe_";
};
struct Task {
  static constexpr std::string_view kPrefix = "tsk_";
};
struct Request {
  static constexpr std::string_view kPrefix = "req_";
};
struct Audit {
  static constexpr std::string_view kPrefix = "aud_";
};
}  // namespace kind

using TenantId = Id<kind::Tenant>;
using ClientId = Id<kind::Client>;
using ClientSecretId = Id<kind::ClientSecret>;
using ClaimId = Id<kind::Claim>;
using ReviewId = Id<kind::Review>;
using AuthorizationId = Id<kind::Authorization>;
using SettlementId = Id<kind::Settlement>;
using TransferId = Id<kind::Transfer>;
using LedgerTransactionId = Id<kind::LedgerTransaction>;
using ReconciliationId = Id<kind::Reconciliation>;
using DepositId = Id<kind::Deposit>;
using BankStatementId = Id<kind::BankStatement>;
using RemittanceId = Id<kind::Remittance>;
using MatchCandidateId = Id<kind::MatchCandidate>;
using PayerAliasId = Id<kind::PayerAlias>;
using PayeeAliasId = Id<kind::PayeeAlias>;
using ImportJobId = Id<kind::ImportJob>;
using PickupFileId = Id<kind::PickupFile>;
using EventId = Id<kind::Event>;
using WebhookEndpointId = Id<kind::WebhookEndpoint>;
using TaskId = Id<kind::Task>;
using RequestId = Id<kind::Request>;
using AuditId = Id<kind::Audit>;

}  // namespace tideover::domain
