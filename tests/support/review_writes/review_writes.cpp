#include "tests/support/review_writes/review_writes.hpp"

#include <random>
#include <stdexcept>

#include "core/clock/system_clock.hpp"
#include "core/clock/ulid_source.hpp"
#include "core/http/wire/operations/event_json.hpp"
#include "core/http/wire/reviews/review_json.hpp"
#include "core/store/sql_records.hpp"
#include "core/usecases/reviews/review_claim.hpp"
#include "tests/fakes/fake_payers.hpp"
#include "tests/fakes/fake_rules.hpp"
#include "tests/fakes/plain_cipher.hpp"
#include "tests/fakes/plain_digest.hpp"

namespace tideover::tests {
namespace {

StatementTaken::Value owned(const sql::Parameter& parameter) {
  return std::visit(
      [](const auto& value) -> StatementTaken::Value {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::same_as<T, std::string_view>)
          return std::string(value);
        else if constexpr (std::same_as<T, sql::BlobView>)
          return std::vector<std::uint8_t>(value.begin(), value.end());
        else
          return value;
      },
      parameter.value());
}

/// Claims success for every write; no query finds anything.
class TakingStatement final : public sql::Statement {
 public:
  TakingStatement(std::string sql, std::vector<StatementTaken>& taken) : sql_(std::move(sql)), taken_(taken) {}

  std::int64_t run(std::span<const sql::Parameter> parameters) override { return take(parameters, false), 1; }
  void open(std::span<const sql::Parameter> parameters) override { take(parameters, true); }
  bool next() override { return false; }
  void close() noexcept override {}
  bool is_null(int) const override { return true; }
  std::int64_t integer(int) const override { throw std::logic_error("there is no row"); }
  std::string text(int) const override { throw std::logic_error("there is no row"); }
  std::vector<std::uint8_t> blob(int) const override { throw std::logic_error("there is no row"); }

 private:
  void take(std::span<const sql::Parameter> parameters, bool reads) {
    StatementTaken statement{sql_, {}, reads};
    for (const auto& parameter : parameters) statement.values.push_back(owned(parameter));
    taken_.push_back(std::move(statement));
  }

  const std::string sql_;
  std::vector<StatementTaken>& taken_;
};

class TakingSession final : public sql::Session {
 public:
  TakingSession(sql::Dialect dialect, std::vector<StatementTaken>& taken) : dialect_(dialect), taken_(taken) {}
  ~TakingSession() override { forget_statements(); }

  sql::Dialect dialect() const override { return dialect_; }
  bool usable() const override { return true; }

 protected:
  std::unique_ptr<sql::Statement> prepare(std::string_view sql) override {
    return std::make_unique<TakingStatement>(std::string(sql), taken_);
  }
  void execute_text(std::string_view) override {}
  void begin_transaction() override {}
  void commit_transaction() override {}
  void rollback_transaction() override {}

 private:
  const sql::Dialect dialect_;
  std::vector<StatementTaken>& taken_;
};

/// Each commit runs its unit at once; only what units do is kept.
class TakingStore final : public ports::Store {
 public:
  explicit TakingStore(sql::Dialect dialect) : session_(dialect, taken_) {}

  domain::Status read(const std::function<void(const ports::Records&)>& look) override {
    const store::SqlRecords records(session_, services_);
    look(records);
    taken_.clear();
    return {};
  }
  domain::Status commit(const Unit& unit, ports::Priority) override {
    session_.begin();
    store::SqlRecords records(session_, services_);
    auto status = unit(records);
    session_.commit();
    return status;
  }
  std::vector<StatementTaken> take() { return std::exchange(taken_, {}); }

 private:
  std::vector<StatementTaken> taken_;
  TakingSession session_;
  wire::EventJson events_;
  fakes::PlainCipher cipher_;
  std::function<void(std::string_view)> tell_ = [](std::string_view) {};
  store::EncryptedCells cells_{cipher_, tell_};
  store::RecordServices services_{events_, "bench", cells_};
};

}  // namespace

struct ReviewWrites::Parts {
  explicit Parts(sql::Dialect dialect) : store(dialect) {
    domain::Payer payer;
    payer.payer_id = "SAMPLE-80";
    payer.rates = {0, 8000, 0, 21, 30};
    payers.payers.push_back(payer);
  }

  clock::SystemClock clock;
  clock::UlidSource ids{clock};
  TakingStore store;
  fakes::FakePayers payers;
  fakes::FakeRules rules;
  fakes::PlainDigest digests;
  std::vector<domain::ReasonCode> reason_codes;
  usecases::ReviewClaim review{store, payers, rules, digests, ids, reason_codes, 7};
  domain::Caller caller{ids.next<domain::TenantId>(), ids.next<domain::ClientId>(), domain::Environment::sandbox,
                        domain::ValidationProfile::lenient, domain::ScopeSet::all()};
  std::mt19937_64 random{1};
  int claims = 0;
};

ReviewWrites::ReviewWrites(sql::Dialect dialect) : parts_(std::make_unique<Parts>(dialect)) {}
ReviewWrites::~ReviewWrites() = default;

std::vector<StatementTaken> ReviewWrites::next(bool with_key) {
  auto& parts = *parts_;
  const auto now = parts.clock.now();
  const std::string number = std::to_string(++parts.claims);
  domain::ClaimDraft draft;
  draft.facility = "FAC-01";
  draft.claim_identifier = "BENCH-" + number;
  draft.chart_identifier = domain::Sensitive<std::string>("CH-" + number);
  draft.date_of_service = now.utc_date().plus(-5);
  draft.date_of_submission = now.utc_date().plus(-1);
  draft.servicer_npi = "1234567893";
  draft.billing_npi = "1999999984";
  draft.payer_id = "SAMPLE-80";
  draft.submitted_amount = domain::Money::cents(100'000);
  draft.service_lines = {{"99213", "25", 1000, domain::Money::cents(40'000)},
                         {"93000", "", 2000, domain::Money::cents(60'000)}};

  usecases::RequestContext context{parts.caller, parts.ids.next<domain::RequestId>().text(), "POST /v1/claims/reviews",
                                   now, std::nullopt};
  if (with_key) {
    const std::string key = std::to_string(parts.random()) + std::to_string(parts.random());
    context.idempotency = {key, std::string(32, 'a') + ' ' + key, std::string(64, 'f'), 30};
  }
  domain::Status done;  // the store commits at once
  const auto started = parts.review.start(
      context, draft, [](const domain::Review& review) { return wire::encode_review(review); },
      [&](const domain::Result<usecases::StoredResponse>& answer) {
        if (!answer) done = answer.error();
      });
  for (const auto& step : {started, done})
    if (!step) throw std::runtime_error(step.error().message);
  return parts.store.take();
}

}  // namespace tideover::tests
