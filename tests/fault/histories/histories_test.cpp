// R9: the books balance, whatever happens in whatever order. See README.md.
#include "core/usecases/funding/follow_up_payments.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "tests/fault/figure.hpp"
#include "tests/fault/histories/compared_world.hpp"

using namespace tideover;
using tests::Cents;
using tests::ComparedWorld;
using tests::Loan;
using tests::Reference;
using Answer = fakes::FakeRail::Answer;

namespace {

constexpr int kStepsOfAHistory = 250;

/// A service and its reference, going through the same history.
class History : public ComparedWorld {
 public:
  explicit History(std::uint64_t seed) : ComparedWorld(seed) {
    rtp.description.recall = ports::RailRecall::blind;  // only an operator can tell what became of its silence
  }

  void play(int steps) {
    for (step_ = 1; step_ <= steps; ++step_) {
      step();
      compare_books();
    }
    compare_settlements();
    for (const auto* rail : {&same_day, &rtp})
      for (const auto& [key, payment] : rail->payments())
        REQUIRE_SAME(payment.count == 1, "one key was paid more than once");
    verify();
  }

 private:
  void step() {
    clock.advance_s(1);
    switch (pick(16)) {
      case 0:
      case 1:
        return review_claim_of_a_patient();
      case 2:
        return agree();
      case 3:
      case 4:
      case 5:
        return confirm();
      case 6:
        return resolve_unknown();
      case 7:
      case 8:
        return take_money();
      case 9:
        return repeat_money();
      case 10:
        return send_back();
      case 11:
        return decide();
      case 12:
        return tell_status();
      case 13:
        return import_claims();
      default:
        return chance(80) ? take_remittance() : repeat_remittance();
    }
  }

  void review_claim_of_a_patient() {
    const auto n = std::to_string(reference_.loans.size() + 1);
    // Few different amounts, so that several things fit one payment now and then.
    const Cents submitted = 62'500 * static_cast<Cents>(1 + pick(12));
    const std::string key = chance(50) ? "review-" + n : "";
    did("review " + n + " over " + std::to_string(submitted));
    const auto made = review(draft("CLM-" + n, submitted), key);
    reviews_.push_back(made.authorization_id.text());
    reference_.loans.push_back(Reference::reviewed("CLM-" + n, submitted));
  }

  void agree() {
    auto* loan = any_loan();
    if (!loan) return;
    did("adjudicate " + loan->claim);
    const auto index = static_cast<std::size_t>(loan - reference_.loans.data());
    const bool blind = chance(30), in_review = chance(20);
    rules.proposal.decision = in_review ? domain::Decision::manual_review : domain::Decision::approved;
    const auto answer = try_adjudicate(reviews_[index], blind ? "RTP" : "SAME_DAY");
    const bool possible = loan->state == Loan::State::reviewed && !loan->decided;
    REQUIRE_SAME(bool(answer) == possible, possible ? "the adjudication was refused: " + tests::why(answer)
                                                    : "an adjudication that must be refused was made");
    if (!possible) return;
    loan->state = in_review ? Loan::State::in_review : Loan::State::agreed;
    loan->blind = blind;
    loan->settlement = answer->body;
  }

  /// What the rails answer to the next payment: 0 rejects, 1 to 3 are silent, others accept.
  void script_rails(std::size_t outcome) {
    same_day.script.clear();
    switch (outcome) {
      case 0:
        same_day.script = {{Answer::reject, "R03"}};
        break;
      case 1:
        same_day.script = {{Answer::time_out_accepted, ""}};
        break;
      case 2:
      case 3:
        same_day.script = {{Answer::time_out_lost, ""}};
        break;
      default:
        break;
    }
    rtp.script = same_day.script;
  }

  void confirm() {
    auto* loan = any_loan();
    if (!loan || loan->state == Loan::State::reviewed) return;
    if (std::any_of(reference_.loans.begin(), reference_.loans.end(),
                    [](const Loan& one) { return one.state == Loan::State::unknown; }) &&
        loan->state == Loan::State::agreed)
      return resolve_unknown();  // one unknown at a time: the rail's script is of one payment
    if (loan->state == Loan::State::in_review) {
      did("confirm " + loan->claim + ", which waits for a reviewer");
      const auto answer = try_confirm(*domain::SettlementId::parse(loan->settlement));
      REQUIRE_SAME(!answer && answer.error().code == domain::ErrorCode::manual_review_pending,
                   "a settlement under review was confirmed");
      return;
    }
    const std::string key = loan->state == Loan::State::funded && chance(60) ? loan->confirmed_under
                            : chance(60)                                     ? "confirm-" + std::to_string(step_)
                                                                             : "";
    const auto outcome = pick(8);
    script_rails(outcome);
    const auto before = same_day.payment_count() + rtp.payment_count();
    did("confirm " + loan->claim + " under '" + key + "', the rail's way " + std::to_string(outcome));
    const auto answer = try_confirm(*domain::SettlementId::parse(loan->settlement), key);
    const int paid = same_day.payment_count() + rtp.payment_count() - before;
    switch (loan->state) {
      case Loan::State::funded:
        REQUIRE_SAME(paid == 0, "a funded settlement was paid again");
        REQUIRE_SAME(bool(answer) == (key.empty() || key == loan->confirmed_under),
                     "a repeated confirm was answered wrongly");
        REQUIRE_SAME(!answer || answer->replayed, "a repeated confirm does not say that it is one");
        return;
      case Loan::State::unknown:
      case Loan::State::by_hand:
        REQUIRE_SAME(paid == 0 && !answer && answer.error().code == domain::ErrorCode::rail_outcome_unknown,
                     "an unknown outcome was confirmed again");
        return;
      default:
        break;
    }
    if (loan->decided) {
      REQUIRE_SAME(paid == 0 && !answer, "an advance on a claim that its payer has decided");
      return;
    }
    loan->confirmed_under = key;
    reference_.begin(*loan);
    if (outcome == 0) {
      REQUIRE_SAME(!answer && answer.error().code == domain::ErrorCode::rail_rejected && paid == 0,
                   "the rail's refusal did not arrive");
      reference_.refused(*loan);
    } else if (outcome <= 3) {
      REQUIRE_SAME(!answer && answer.error().code == domain::ErrorCode::rail_outcome_unknown,
                   "silence of the rail is no outcome");
      loan->state = loan->blind ? Loan::State::by_hand : Loan::State::unknown;
      if (!loan->blind) after_silence_ = outcome == 3 ? Answer::reject : Answer::accept;
    } else {
      REQUIRE_SAME(bool(answer) && paid == 1, "the confirm was refused: " + tests::why(answer));
      reference_.paid(*loan);
    }
  }

  void resolve_unknown() {
    clock.advance_s(2);
    same_day.script.clear();
    if (after_silence_ == Answer::reject) same_day.script = {{Answer::reject, "R03"}};
    rtp.script = same_day.script;
    did("resolve");
    const auto looked = (*resolve_disbursements)();
    REQUIRE_SAME(bool(looked), "resolving failed: " + tests::why(looked));
    for (auto& loan : reference_.loans)
      if (loan.state == Loan::State::unknown)
        after_silence_ == Answer::reject ? reference_.refused(loan) : reference_.paid(loan);
    after_silence_ = Answer::accept;
    same_day.script.clear();
    rtp.script.clear();
  }

  /// A payment that was taken comes back, also after the payer has paid for the claim.
  void send_back() {
    auto* loan = any_loan();
    if (!loan || loan->state != Loan::State::funded) return;
    did("the payment of " + loan->claim + " comes back");
    ports::RailOutcome outcome;
    outcome.kind = ports::RailOutcome::Kind::returned;
    outcome.reason_code = "R02";
    const auto booked = disburse->record(
        caller.tenant, attempt(*domain::SettlementId::parse(loan->settlement)), domain::AttemptEvent::return_, outcome,
        [&](ports::Records& records, const domain::Settlement*,
            const domain::DisbursementAttempt& stands) -> domain::Status {
          usecases::audit_rail_answer({records, caller.tenant, clock.now(), ids}, "follow-up", stands);
          return {};
        });
    REQUIRE_SAME(bool(booked), "the return was refused: " + tests::why(booked));
    reference_.came_back(*loan);
  }

  /// What waits for an operator: terms to approve, payments that no rail can tell of, and what is only to be seen.
  void decide() {
    const auto open = tasks();
    if (open.empty()) return;
    const auto& task = open[pick(open.size())];
    const auto loan = std::find_if(reference_.loans.begin(), reference_.loans.end(),
                                   [&](const Loan& one) { return one.settlement == task.object_id; });
    auto choices = domain::decisions_of(task);
    if (domain::is_about_matching(task.kind))
      choices = {std::string(domain::kResolved)};  // what the others do is tests/usecases' business
    if (task.kind == domain::kDepositDuplicate) choices = {std::string(domain::kDistinct)};
    const auto decision = choices[pick(choices.size())];
    did("task " + task.kind + " about " + task.object_id + " decided: " + decision);
    const auto answer = decide_task_(context("decide"), task.id.text(), {decision, "seen"},
                                     [](const domain::Task& decided) { return decided.id.text(); });
    REQUIRE_SAME(bool(answer), "the decision was refused: " + tests::why(answer));
    if (decision == "approve") {
      loan->state = Loan::State::agreed;
      loan->approved = true;
    }
    if (decision == "decline") reference_.declined(*loan);
    if (decision == "paid") reference_.paid(*loan);
    if (decision == "not_paid") reference_.refused(*loan);
    if (decision == domain::kDistinct) reference_.deposit(held_deposits_.at(task.object_id));
    const auto again = decide_task_(context("decide"), task.id.text(), {decision, "seen"},
                                    [](const domain::Task&) { return std::string(); });
    REQUIRE_SAME(!again && again.error().code == domain::ErrorCode::invalid_state, "a closed task was decided again");
  }

  void tell_status() {
    auto* loan = any_loan();
    if (!loan || loan->decided) return;  // what payers say of a claim is their remittances'
    const int status = 1 + static_cast<int>(pick(std::size(tests::kStatuses) - 1));
    const std::string name = tests::kStatuses[status];
    did("claim " + loan->claim + " is " + name + " now");
    usecases::StatusUpdate update;
    update.status = *domain::claim_status_named(name);
    const auto answer = (*update_claim_status)(
        context("status"), loan->claim, update,
        [](const domain::ClaimStatusRecord& record) { return std::string(name_of(record.status)); });
    const bool possible = reference_.set_status(*loan, status);
    REQUIRE_SAME(bool(answer) == possible,
                 possible ? "the status was refused: " + tests::why(answer) : "a claim went backwards");
    REQUIRE_SAME(std::string(name_of(claim_status(loan->claim).status)) == tests::kStatuses[loan->status],
                 "the claim has another status");
  }

  /// New claims in a file, some rows twice, some unreadable.
  void import_claims() {
    std::string file = "claims\n";
    int rows = 0, repeated = 0, unreadable = 0;
    std::vector<Loan> arrived;
    for (std::size_t i = 0, wanted = 1 + pick(3); i < wanted; ++i) {
      const Cents submitted = 62'500 * static_cast<Cents>(1 + pick(12));
      const auto claim = "CLM-" + std::to_string(reference_.loans.size() + arrived.size() + 1);
      const auto row = "claim_identifier=" + claim +
                       ";chart_identifier=CH;servicer_npi=1234567893;billing_npi=1234567893;patient_primary_payor_id="
                       "PAYER;submitted_amount=" +
                       format_money(domain::Money::cents(submitted)) + '\n';
      file += row;
      arrived.push_back(Reference::reviewed(claim, submitted));
      if (chance(20)) file += row, ++repeated, ++rows;
      if (chance(20)) file += "!\n", ++unreadable, ++rows;
      ++rows;
    }
    did("import of " + std::to_string(rows) + " rows");
    usecases::ImportRequest request;
    request.format = "lines";
    request.encoding = "none";
    request.payload = file;
    const auto started =
        (*start_import)(context("import"), request, [](const domain::ImportJob& job) { return job.id.text(); });
    REQUIRE_SAME(bool(started), "the import was refused: " + tests::why(started));
    for (bool more = true; more;) {
      const auto worked = (*run_import)([] { return false; });
      REQUIRE_SAME(bool(worked), "the import failed: " + tests::why(worked));
      more = *worked;
    }
    const auto job = usecases::ReadImports(*sql).one(caller.tenant, started->body);
    REQUIRE_SAME(job && job->total_rows == rows && job->accepted_rows == static_cast<std::int64_t>(arrived.size()) &&
                     job->duplicate_rows == repeated && job->rejected_rows == unreadable,
                 "the import counted its rows otherwise");
    for (auto& loan : arrived) {
      reviews_.push_back(seen([&](const ports::Records& records) {
        const auto claim = records.claims().find(caller.tenant, loan.claim);
        const auto latest = claim ? records.reviews().latest_of(caller.tenant, claim->claim.id) : std::nullopt;
        return latest ? latest->authorization_id.text() : std::string();
      }));
      reference_.loans.push_back(std::move(loan));
    }
  }

  void take_money() {
    tests::Money money;
    if (!reference_.remittances.empty() && chance(60)) {
      const auto& remittance = reference_.remittances[pick(reference_.remittances.size())];
      money = {chance(80) ? remittance.trace : "", remittance.total(), false};
    } else if (auto* loan = any_loan(); loan && chance(50)) {
      money = {"", loan->expected, false};
    } else {
      money = {trace(), 1000 * static_cast<Cents>(1 + pick(200)), false};
    }
    if (money.amount == 0) return;
    domain::Deposit deposit;
    deposit.payer_id = "PAYER";
    deposit.amount = domain::Money::cents(money.amount);
    deposit.received_date = clock.now().utc_date();
    deposit.trace_number = money.trace;
    if (chance(50)) deposit.external_id = "bank-" + std::to_string(step_);
    did("deposit of " + std::to_string(money.amount) + " under '" + money.trace + "'");
    const auto answer = post(deposit);
    REQUIRE_SAME(bool(answer), "the deposit was refused: " + tests::why(answer));
    if (!deposit.external_id.empty()) known_deposits_.push_back(deposit);
    money.external_id = deposit.external_id;
    money.day = deposit.received_date.days();
    if (!reference_.is_repeated(money)) return reference_.deposit(std::move(money));
    reference_.hold(money);
    held_deposits_.emplace(answer->body, std::move(money));
  }

  void repeat_money() {
    if (known_deposits_.empty()) return;
    const auto& known = known_deposits_[pick(known_deposits_.size())];
    auto again = known;
    const bool other = chance(30);
    if (other) again.amount += domain::Money::cents(1);
    did("deposit " + known.external_id + " again" + (other ? ", with another amount" : ""));
    REQUIRE_SAME(bool(post(again)) == !other, "a deposit that was known was answered wrongly");
  }

  void take_remittance() {
    if (reference_.loans.empty()) return;
    tests::Remittance remittance;
    remittance.trace = chance(85) ? trace() : "";
    for (std::size_t i = 0, claims = 1 + pick(3); i < claims; ++i) {
      const auto loan = pick(reference_.loans.size());
      if (std::any_of(remittance.claims.begin(), remittance.claims.end(),
                      [&](const auto& claim) { return claim.loan == loan; }))
        continue;
      const auto& terms = reference_.loans[loan];
      const Cents amounts[] = {terms.expected,
                               terms.expected - 500,
                               terms.advance + terms.fee,
                               terms.advance + 1,
                               terms.advance - 700,
                               terms.submitted,
                               0};
      const Cents paid = amounts[pick(std::size(amounts))];
      remittance.claims.push_back({loan, paid, paid == 0 && chance(70), true, false});
    }
    // Money that was posted by its amount alone is taken back for a remittance that is all about it: tests/usecases has
    // that.
    const auto takes_back = [&](const Loan& loan) {
      const bool is_its_own =
          remittance.claims.size() == 1 && &loan == &reference_.loans[remittance.claims.front().loan];
      return loan.record && !loan.record->by_remittance && loan.record->payment == remittance.total() && !is_its_own;
    };
    if (std::any_of(reference_.loans.begin(), reference_.loans.end(), takes_back)) return;
    known_remittances_.push_back(draft_of(remittance));
    std::string claims;
    for (const auto& claim : remittance.claims)
      claims += (claims.empty() ? "" : ", ") + reference_.loans[claim.loan].claim + ' ' + std::to_string(claim.paid);
    did("remittance of " + claims + " over " + std::to_string(remittance.total()) + " under '" + remittance.trace +
        "'");
    tell(known_remittances_.back(), false);
    reference_.remittance(std::move(remittance));
  }

  void repeat_remittance() {
    if (known_remittances_.empty()) return;
    did("a remittance again");
    tell(known_remittances_[pick(known_remittances_.size())], true);
  }

  domain::RemittanceDraft draft_of(const tests::Remittance& remittance) {
    domain::RemittanceDraft made;
    made.payer_id = "PAYER";
    made.trace_number = remittance.trace;
    made.payment_date = clock.now().utc_date();
    made.payment_amount = domain::Money::cents(remittance.total());
    made.originator_id = std::to_string(step_);  // two remittances of equal claims are two remittances
    for (const auto& claim : remittance.claims) {
      domain::RemittanceClaim paid;
      paid.claim_identifier = reference_.loans[claim.loan].claim;
      paid.status = claim.denied ? "4" : "1";
      paid.charge_amount = domain::Money::cents(reference_.loans[claim.loan].submitted);
      paid.paid_amount = domain::Money::cents(claim.paid);
      made.claims.push_back(std::move(paid));
    }
    return made;
  }

  domain::Result<usecases::StoredResponse> post(const domain::Deposit& deposit) {
    return (*post_deposit)(context("deposit"), deposit,
                           [](const usecases::PostedDeposit& posted) { return posted.deposit.id.text(); });
  }
  void tell(const domain::RemittanceDraft& draft, bool known) {
    bool seen_before = false;
    const auto answer =
        (*post_remittance)(context("remittance"), {draft}, [&](const std::vector<usecases::PostedRemittance>& posted) {
          seen_before = posted.front().seen_before;
          return std::string();
        });
    REQUIRE_SAME(bool(answer), "the remittance was refused: " + tests::why(answer));
    REQUIRE_SAME(seen_before == known,
                 known ? "a known remittance counted again" : "a new remittance was taken for a known one");
  }
  std::string trace() { return "T" + std::to_string(step_); }

  std::vector<std::string> reviews_;  // authorizations, in the order of the reference's loans
  std::vector<domain::Deposit> known_deposits_;
  std::map<std::string, tests::Money> held_deposits_;  // by id
  std::vector<domain::RemittanceDraft> known_remittances_;
  Answer after_silence_ = Answer::accept;
  usecases::DecideTask decide_task_{*store, *disburse, payers, ids, false};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(histories)

BOOST_AUTO_TEST_CASE(any_history_ends_in_the_ledger_of_the_reference) {
  const std::size_t promised = test::cases(4000, 1'000'000);
  if (const char* given = std::getenv("TIDEOVER_SEED")) return History(std::stoull(given)).play(kStepsOfAHistory);
  const std::uint64_t first = std::random_device{}();
  std::cout << "histories from TIDEOVER_SEED=" << first << std::endl;
  std::size_t steps = 0;
  for (std::uint64_t seed = first; steps < promised; ++seed, steps += kStepsOfAHistory)
    History(seed).play(kStepsOfAHistory);
  test::survived("R9  random operations against a model of the money rules:", steps, promised,
                 "operations, books equal after each");
}

BOOST_AUTO_TEST_SUITE_END()
