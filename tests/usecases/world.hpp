// The service without adapters: the real use cases over a real SQLite store in a folder of its own; everything else is
// a fake. When a test ends, its books must balance, ledger and audit trail must verify, and no settlement may have been
// paid twice.
#pragma once
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "core/jobs/payload_decoder.hpp"
#include "core/store/integrity/checkpoint_file.hpp"
#include "core/store/sql_store.hpp"
#include "core/usecases/audit/verify_ledger.hpp"
#include "core/usecases/claims/get_claim.hpp"
#include "core/usecases/claims/update_claim_status.hpp"
#include "core/usecases/funding/confirm_settlement.hpp"
#include "core/usecases/funding/create_adjudication.hpp"
#include "core/usecases/funding/resolve_disbursements.hpp"
#include "core/usecases/imports/cancel_import.hpp"
#include "core/usecases/imports/read_imports.hpp"
#include "core/usecases/imports/run_import.hpp"
#include "core/usecases/imports/start_import.hpp"
#include "core/usecases/reconciliation/get_reconciliation.hpp"
#include "core/usecases/reconciliation/post_deposit.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"
#include "core/usecases/reviews/review_claim.hpp"
#include "tests/fakes/counting_ids.hpp"
#include "tests/fakes/fake_payers.hpp"
#include "tests/fakes/fake_rail.hpp"
#include "tests/fakes/fake_rules.hpp"
#include "tests/fakes/fixed_clock.hpp"
#include "tests/fakes/interrupted_store.hpp"
#include "tests/fakes/line_format.hpp"
#include "tests/fakes/memory_journal.hpp"
#include "tests/fakes/plain_cipher.hpp"
#include "tests/fakes/plain_digest.hpp"
#include "tests/fakes/printing.hpp"

namespace tideover::tests {

class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// An event is written as its kind: what tests count.
class KindEncoder final : public ports::EventEncoder {
 public:
  std::string encode_data(const domain::EventData& data) const override { return std::string(domain::kind_of(data)); }
};

class NoFormats final : public ports::RemittanceFormats {
 public:
  ports::RemittanceFormat* find(std::string_view) override { return nullptr; }
  std::vector<std::string> names() const override { return {}; }
};

/// TIDEOVER_TEST_CHUNK=<n>: remittances with more than n claims are posted in chunks of n. Else as the service does.
domain::PostingSizes posting_sizes_of_environment();

struct World {
  explicit World(domain::PostOn post_on = domain::PostOn::deposit,
                 const domain::PostingSizes& sizes = posting_sizes_of_environment());
  /// Called by Boost.Test behind every test of the fixture.
  void teardown();

  usecases::OwnWitness own_witness();
  /// What `ledger verify` and `audit verify` say, as failures of the test.
  void verify();

  // What a request brings along.
  usecases::RequestContext context(const std::string& operation, const std::string& key = "");

  // Short ways through the flow. Each fails the test when the step is refused.
  domain::ClaimDraft draft(const std::string& identifier, std::int64_t cents = 100'000);
  domain::Review review(const domain::ClaimDraft& claim, const std::string& key = "");
  domain::Settlement adjudicate(const domain::Review& review, const std::string& rail = "SAME_DAY");
  domain::Settlement funded(const std::string& identifier, std::int64_t cents = 100'000);

  domain::Result<usecases::StoredResponse> try_review(const domain::ClaimDraft& claim, const std::string& key = "");
  domain::Result<usecases::StoredResponse> try_adjudicate(const std::string& authorization,
                                                          const std::string& rail = "SAME_DAY",
                                                          const std::string& key = "");
  domain::Result<usecases::StoredResponse> try_confirm(const domain::SettlementId& id, const std::string& key = "");
  /// One round of the resolver, behind the lease of every attempt.
  void resolve();
  /// The time of the caller's tenant is so many days ahead of `clock`.
  void shift_clock_days(int days);

  // What the store holds.
  template <class Look>
  auto seen(Look look) {
    std::invoke_result_t<Look, const ports::Records&> value{};
    const auto status = sql->read([&](const ports::Records& records) { value = look(records); });
    BOOST_REQUIRE_MESSAGE(status, "reading failed");
    return value;
  }
  domain::Settlement settlement(const domain::SettlementId& id);
  domain::DisbursementAttempt attempt(const domain::SettlementId& id,
                                      domain::Purpose purpose = domain::Purpose::advance);
  domain::Reconciliation reconciliation(const domain::SettlementId& id);
  domain::ClaimStatusRecord claim_status(const std::string& identifier);
  std::vector<domain::Task> tasks(const std::string& kind = "");
  int events(const std::string& kind);
  domain::Money balance(const std::string& account);
  domain::Money pending(const std::string& account);
  /// The posted balance of every account that has one.
  std::map<std::string, domain::Money> books();
  /// Audit rows with this outcome.
  int audit_rows(const std::string& outcome = "ok");
  std::optional<ports::StoredAnswer> answer_under(const std::string& operation, const std::string& key);

  TemporaryFolder folder;
  store::CheckpointFile checkpoints{folder / "checkpoints", crypto::SigningKey(std::string(32, 'k'))};
  KindEncoder encoder;
  fakes::PlainCipher cipher;
  std::unique_ptr<store::SqlStore> sql;
  std::unique_ptr<fakes::InterruptedStore> store;  // what the use cases see
  fakes::FixedClock clock;
  fakes::CountingIds ids;
  fakes::PlainDigest digests;
  fakes::MemoryJournal journal;
  fakes::FakeRules rules;
  fakes::FakePayers payers;
  fakes::FakeRail same_day{"SAME_DAY"};
  fakes::FakeRail rtp{"RTP"};
  fakes::FakeRails rails{{&same_day, &rtp}};
  fakes::LineFormats import_formats;
  NoFormats remittance_formats;
  jobs::PayloadDecoder decoder{{}};
  domain::Caller caller;
  std::vector<domain::ReasonCode> reason_codes{
      {"29", "CARC", "Filed too late", {"CO"}, "timely_filing", "denial", "Appeal with proof", "", true, "", ""}};

  std::unique_ptr<usecases::ReviewClaim> review_claim;
  std::unique_ptr<usecases::CreateAdjudication> create_adjudication;
  std::unique_ptr<usecases::Disburse> disburse;
  std::unique_ptr<usecases::ConfirmSettlement> confirm_settlement;
  std::unique_ptr<usecases::ResolveDisbursements> resolve_disbursements;
  std::unique_ptr<usecases::PostInChunks> post_in_chunks;
  std::unique_ptr<usecases::PostDeposit> post_deposit;
  std::unique_ptr<usecases::PostRemittance> post_remittance;
  std::unique_ptr<usecases::UpdateClaimStatus> update_claim_status;
  std::unique_ptr<usecases::StartImport> start_import;
  std::unique_ptr<usecases::RunImport> run_import;

 private:
  std::filesystem::path database_;
};

/// Why a step was refused; "" when it was not.
template <class T>
std::string why(const domain::Result<T>& result) {
  return result ? "" : result.error().message;
}

/// The code of a refusal; fails the test when `result` is none.
template <class T>
domain::ErrorCode refusal_of(const domain::Result<T>& result) {
  BOOST_REQUIRE_MESSAGE(!result, "was not refused");
  return result.error().code;
}

/// A detail of a refusal; "" when it has none of this name.
inline std::string detail_of(const domain::Error& error, std::string_view name) {
  for (const auto& [known, text] : error.details)
    if (known == name) return text;
  return "";
}

}  // namespace tideover::tests
