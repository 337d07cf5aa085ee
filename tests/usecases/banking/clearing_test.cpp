// Bank statements over the real store: what becomes of each line, of the ledger, and of a statement that comes again.
#include <algorithm>

#include "core/usecases/banking/read_bank.hpp"
#include "core/usecases/reconciliation/post_deposit_file.hpp"
#include "core/usecases/reconciliation/return_deposit.hpp"
#include "core/usecases/tasks/decide_task.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::BankFileLine;
using domain::BankFileStatement;
using domain::DepositFileItem;
using domain::Money;
using tests::why;
using tests::World;

namespace {

/// A format that returns the file of the test.
class BankFormat final : public ports::DepositFormat, public ports::DepositFormats {
 public:
  std::string_view name() const override { return "bank"; }
  domain::Result<domain::DepositFile> parse(std::string_view) override { return file; }
  DepositFormat* find(std::string_view) override { return this; }
  std::vector<std::string> names() const override { return {"bank"}; }

  domain::DepositFile file;
};

struct BankWorld : World {
  BankFormat formats;
  usecases::PostDepositFile post_file{*store, formats, digests, ids};
  usecases::ReturnDeposit return_deposit{*store, ids};
  usecases::ReadBank bank{*store};
  usecases::PostedDepositFile last;
  domain::Date today = clock.now().utc_date();

  BankWorld() { start("000123456789"); }

  /// A new file with one statement: opening 1000.00, closing as the lines make it.
  void start(const std::string& account, int days = 0) {
    formats.file = {};
    BankFileStatement statement;
    statement.line = 1;
    statement.account = account;
    statement.date = today.plus(days);
    statement.opening = statement.closing = Money::cents(100'000);
    formats.file.statements.push_back(statement);
  }
  BankFileStatement& statement() { return formats.file.statements.back(); }

  BankFileLine& line(bool is_debit, std::int64_t cents, const std::string& reference) {
    BankFileLine line;
    line.line = static_cast<std::int64_t>(statement().lines.size()) + 2;
    line.is_debit = is_debit;
    line.amount = Money::cents(cents);
    line.date = statement().date;
    if (!reference.empty()) line.references = {reference};
    line.type_code = is_debit ? "451" : "142";
    *statement().closing += is_debit ? -line.amount : line.amount;
    statement().lines.push_back(line);
    return statement().lines.back();
  }
  /// A credit that the file reports as a deposit.
  void credit(std::int64_t cents, const std::string& trace, const std::string& payer = "PAYER") {
    DepositFileItem item;
    item.reference = trace + std::to_string(cents) + format_date(statement().date);
    item.deposit.amount = Money::cents(cents);
    item.deposit.payer_id = payer;
    item.deposit.trace_number = trace;
    item.deposit.received_date = statement().date;
    auto& added = line(false, cents, trace);
    item.line = added.line;
    added.item = formats.file.items.size();
    formats.file.items.push_back(item);
  }
  void debit(std::int64_t cents, const std::string& reference) { line(true, cents, reference); }

  domain::Result<usecases::StoredResponse> try_post(const std::string& key = "") {
    return post_file(context("file", key), "bank", "bytes", [&](const usecases::PostedDepositFile& posted) {
      last = posted;
      std::string body;
      for (const auto& one : posted.statements)
        body += std::string(name_of(one.result)) + ' ' + std::to_string(one.exceptions) + ' ';
      return body;
    });
  }
  std::string post() {
    const auto answer = try_post();
    BOOST_REQUIRE_MESSAGE(answer, "the file was refused: " << why(answer));
    return answer->body;
  }
  domain::DepositId reported(std::int64_t cents, const std::string& trace, int days = 0,
                             const std::string& payer = "PAYER") {
    domain::Deposit deposit;
    deposit.payer_id = payer;
    deposit.amount = Money::cents(cents);
    deposit.received_date = today.plus(days);
    deposit.trace_number = trace;
    domain::DepositId id;
    const auto answer = (*post_deposit)(context("deposit"), deposit, [&](const usecases::PostedDeposit& posted) {
      id = posted.deposit.id;
      return std::string("ok");
    });
    BOOST_REQUIRE_MESSAGE(answer, why(answer));
    return id;
  }
  void returned(const domain::DepositId& id) {
    const auto answer = return_deposit(context("return"), {id.text(), today, "R01"},
                                       [](const usecases::DepositView&) { return std::string("ok"); });
    BOOST_REQUIRE_MESSAGE(answer, why(answer));
  }
  /// Each line: what settles it, or its finding.
  std::string lines(std::size_t at = 0) {
    const auto view = bank.one(caller.tenant, last.statements[at].statement.id.text(), 0, 99);
    BOOST_REQUIRE_MESSAGE(view, why(view));
    std::string text;
    for (const auto& one : view->lines)
      text += (one.deposit   ? std::string("deposit")
               : one.payment ? std::string("payment")
                             : std::string(name_of(*one.finding))) +
              ' ';
    return text;
  }
  std::int64_t cash() { return balance("funding_cash").cents(); }
  std::int64_t clearing() { return balance("deposit_clearing").cents(); }
  /// Every row of the reconciliation of these days: its exceptions.
  std::string days(int from, int to, const std::string& account = "") {
    usecases::BankQuery query;
    query.account = account;
    query.from = today.plus(from);
    query.to = today.plus(to);
    query.limit = 99;
    const auto found = bank.days(caller.tenant, query, clock.now().utc_date());
    BOOST_REQUIRE_MESSAGE(found, why(found));
    std::string text;
    for (const auto& view : *found) {
      text += std::to_string(days_between(today, view.day.date)) + (view.closes ? "+" : "") + ':';
      for (const auto& exception : view.exceptions) text += std::string(name_of(exception.kind)) + ' ';
      BOOST_TEST(view.exception_count == static_cast<std::int64_t>(view.exceptions.size()));
    }
    return text;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bank_statements, BankWorld)

BOOST_AUTO_TEST_CASE(a_credit_clears_the_deposit_that_it_reports_once) {
  credit(79'000, "T-1");
  line(false, 500, "");  // interest
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "deposit credit_without_deposit ");
  BOOST_TEST(cash() == 79'000);
  BOOST_TEST(clearing() == 0);
  BOOST_TEST(balance("suspense_unmatched").cents() == -79'000);
  const auto audited = audit_rows();

  clock.advance_s(86'400);
  BOOST_TEST(post() == "unchanged 1 ");
  BOOST_TEST(cash() == 79'000);
  BOOST_TEST(audit_rows() == audited + 1);  // of the request
  BOOST_TEST(days(0, 0) == "0+:credit_without_deposit ");
}

BOOST_AUTO_TEST_CASE(a_credit_clears_the_deposit_that_another_channel_reported) {
  reported(79'000, "EFT-790001", -2);
  reported(100, "T-2");
  line(false, 79'000, "eft790001");
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "credit_without_deposit ");  // another trace number
  start("000123456789", 1);
  line(false, 79'000, "BANK-7").text = "ACH CREDIT EFT-790001 SAMPLE";
  line(false, 101, "T-2");
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "deposit amount_differs ");
  BOOST_TEST(cash() == 79'000);
  BOOST_TEST(clearing() == 100);
}

BOOST_AUTO_TEST_CASE(a_credit_whose_deposit_is_held_clears_the_one_reported_before_and_a_second_credit_waits) {
  reported(79'000, "T-1");
  credit(79'000, "T-1");
  BOOST_TEST(post() == "stored 0 ");
  BOOST_TEST(tasks("deposit_duplicate").size() == 1u);
  BOOST_TEST(cash() == 79'000);
  BOOST_TEST(clearing() == 0);
  // The same payment a second time at the bank: its deposit is held until a reviewer decides.
  start("000123456789", 1);
  credit(79'000, "T-1");
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "credit_held ");
  BOOST_TEST(cash() == 79'000);

  usecases::DecideTask decide(*store, *disburse, payers, ids, false);
  const auto held = last.items.front().posted->deposit.id;
  for (const auto& task : tasks("deposit_duplicate")) {
    if (task.object_id != held.text()) continue;
    const auto decided = decide(context("task"), task.id.text(), {std::string(domain::kDistinct), "another payment"},
                                [](const domain::Task&) { return std::string("ok"); });
    BOOST_REQUIRE_MESSAGE(decided, why(decided));
  }
  BOOST_TEST(clearing() == 79'000);
  BOOST_TEST(post() == "unchanged 0 ");
  BOOST_TEST(cash() == 158'000);
  BOOST_TEST(clearing() == 0);
}

BOOST_AUTO_TEST_CASE(of_two_credits_whose_deposits_are_held_one_clears_the_deposit_reported_before) {
  reported(79'000, "T-1");
  credit(79'000, "T-1");
  credit(79'000, "T-1");
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "deposit credit_held ");
  BOOST_TEST(cash() == 79'000);
}

BOOST_AUTO_TEST_CASE(several_deposits_of_one_trace_and_amount_are_never_guessed) {
  reported(50'000, "T-1", 0, "PAYER");
  reported(50'000, "T-1", -5, "PAYER");
  line(false, 50'000, "T-1");
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "ambiguous_credit ");
  BOOST_TEST(cash() == 0);
}

BOOST_AUTO_TEST_CASE(a_debit_that_is_a_returned_deposit_takes_its_money_back) {
  const auto deposit = reported(79'000, "T-1");
  line(false, 79'000, "T-1");
  BOOST_TEST(post() == "stored 0 ");
  start("000123456789", 1);
  debit(79'000, "T-1");
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "debit_without_payment ");
  returned(deposit);
  BOOST_TEST(clearing() == -79'000);  // returned, and still in cash
  // The next statement tries the open line again.
  start("000123456789", 2);
  clock.advance_s(86'400);
  BOOST_TEST(post() == "stored 0 ");
  BOOST_TEST(cash() == 0);
  BOOST_TEST(clearing() == 0);
}

BOOST_AUTO_TEST_CASE(a_debit_confirms_the_payment_that_its_rail_names_and_moves_nothing) {
  const auto advance = funded("CLM-1");
  const auto paid = attempt(advance.id);
  const auto before = cash();
  start("000123456789", days_between(today, paid.effective_date));
  debit(paid.amount.cents(), paid.rail_reference);
  debit(paid.amount.cents(), "UNKNOWN-1");
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "payment debit_without_payment ");
  BOOST_TEST(cash() == before);
  // Another debit with that reference is no second payment.
  start("000123456789", days_between(today, paid.effective_date) + 1);
  debit(paid.amount.cents(), paid.rail_key);
  BOOST_TEST(post() == "stored 1 ");
  BOOST_TEST(lines() == "debit_without_payment ");
}

BOOST_AUTO_TEST_CASE(another_content_replaces_the_statement_unless_it_lacks_a_settled_line) {
  credit(79'000, "T-1");
  post();
  const auto id = last.statements[0].statement.id;
  line(false, 500, "FEE-1");
  BOOST_TEST(post() == "replaced 1 ");
  BOOST_TEST((last.statements[0].statement.id == id));
  BOOST_TEST(last.statements[0].statement.version == 2);
  BOOST_TEST(lines() == "deposit credit_without_deposit ");
  BOOST_TEST(cash() == 79'000);
  statement().lines.erase(statement().lines.begin());
  BOOST_TEST(post() == "refused 0 ");
  BOOST_TEST(last.statements[0].reason.find("a credit of 790.00 that was settled") != std::string::npos,
             last.statements[0].reason);
  BOOST_TEST(seen([&](const ports::Records& records) {
               return records.bank_statements().find(caller.tenant, id);
             })->version == 2);
}

BOOST_AUTO_TEST_CASE(a_statement_of_the_future_or_given_twice_in_a_file_is_refused) {
  start("000123456789", 2);
  formats.file.statements.push_back(formats.file.statements[0]);
  formats.file.statements[1].date = today;
  formats.file.statements.push_back(formats.file.statements[1]);
  formats.file.statements[2].account = "0001 2345-6789";
  formats.file.statements.push_back(formats.file.statements[1]);
  formats.file.statements[3].reason = "because";
  BOOST_TEST(post() == "refused 0 stored 0 refused 0 refused 0 ");
  BOOST_TEST(last.statements[1].statement.account_ending == "6789");
}

BOOST_AUTO_TEST_CASE(an_interrupted_statement_is_completed_when_the_file_comes_again) {
  constexpr int kCredits = 250;
  std::int64_t sum = 0;
  for (int i = 0; i < kCredits; ++i) {
    credit(100 + i, "T-" + std::to_string(1000 + i));
    sum += 100 + i;
  }
  // Three units of deposits, one of the statement, then one of its lines.
  store->die_after(5);
  BOOST_REQUIRE(!try_post("key"));
  store->revive();
  BOOST_TEST((cash() > 0 && cash() < sum));
  BOOST_TEST(!answer_under("file", "key").has_value());
  const auto answer = try_post("key");
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  BOOST_TEST(answer->body == "unchanged 0 ");
  BOOST_TEST(cash() == sum);
  BOOST_TEST(clearing() == 0);
  BOOST_TEST(answer_under("file", "key").has_value());
}

BOOST_AUTO_TEST_CASE(the_reconciliation_lists_missing_statements_and_money_on_none) {
  // Friday; the deposit should be on the statement of Wednesday.
  post();
  reported(100, "T-1");
  clock.advance_days(5);
  start("000123456789", 4);
  *statement().opening += Money::cents(1);
  post();
  BOOST_TEST(days(0, 5) == "0+:3:statement_missing 4:statement_does_not_close ");
  start("000123456789", 5);
  *statement().opening += Money::cents(1);
  *statement().closing += Money::cents(1);
  post();
  BOOST_TEST(days(0, 5) ==
             "0+:deposit_not_on_statement 3:statement_missing 4:statement_does_not_close 5:statement_does_not_close ");
  BOOST_TEST(days(5, 5) == "5:statement_does_not_close ");
  start("OTHER-ACCOUNT", 5);
  post();
  const auto own = last.statements[0].statement.account;
  BOOST_TEST(days(3, 5, own) == "5+:");
  BOOST_TEST(days(0, 0, own).empty());
  BOOST_TEST(days(0, 0) == "0:deposit_not_on_statement 0+:");  // no account can be named
}

BOOST_AUTO_TEST_CASE(pages_of_the_reconciliation_continue_where_the_one_before_ended) {
  for (int day = -4; day <= 0; ++day) {
    start("000123456789", day);
    post();
  }
  usecases::BankQuery query;
  query.from = today.plus(-4);
  query.to = today;
  query.limit = 2;
  std::vector<std::string> seen_days;
  for (int page = 0; page < 9; ++page) {
    const auto found = bank.days(caller.tenant, query, today);
    BOOST_REQUIRE_MESSAGE(found, why(found));
    for (const auto& view : *found) seen_days.push_back(format_date(view.day.date));
    if (found->size() < query.limit) break;
    query.after = cursor_of(found->back());
  }
  BOOST_TEST(seen_days.size() == 5u);
  BOOST_TEST(std::is_sorted(seen_days.begin(), seen_days.end()));
  query.to = query.from->plus(92);
  BOOST_TEST(tests::refusal_of(bank.days(caller.tenant, query, today)) == domain::ErrorCode::invalid_parameter);
  query.to = query.from->plus(-1);
  BOOST_TEST(tests::refusal_of(bank.days(caller.tenant, query, today)) == domain::ErrorCode::invalid_parameter);
}

BOOST_AUTO_TEST_SUITE_END()
