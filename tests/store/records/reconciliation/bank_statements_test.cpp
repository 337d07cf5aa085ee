// BankStatementRecords: statements with their lines, and what of our money is on them.
#include "core/domain/claims/claim_number.hpp"
#include "tests/store/records/reconciliation/payments.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

BankStatement a_statement(std::uint64_t n, const std::string& account, int date) {
  BankStatement statement;
  statement.id = id_of<BankStatementId>(n);
  statement.account = account;
  statement.account_ending = "6789";
  statement.date = day(date);
  statement.format = "bai2";
  statement.opening = Money::cents(-11);
  statement.closing = Money::cents(12);
  statement.credit_sum = Money::cents(13);
  statement.debit_sum = Money::cents(14);
  statement.credit_count = 15;
  statement.debit_count = 16;
  statement.content = "content " + std::to_string(n);
  statement.version = 3;
  statement.stored_at = kNow;
  return statement;
}

BankLine a_line(int number, bool is_debit, std::int64_t cents) {
  BankLine line;
  line.number = number;
  line.is_debit = is_debit;
  line.amount = Money::cents(cents);
  line.date = day(60);
  line.references = {"REF " + std::to_string(number), "Second/2"};
  line.type_code = "142";
  line.text = "first\n\nthird";
  line.origin = id_of<DepositId>(90);
  line.finding = is_debit ? BankExceptionKind::debit_without_payment : BankExceptionKind::amount_differs;
  return line;
}

std::string text_of(const std::optional<BankStatement>& found) {
  if (!found) return "none";
  const auto& [id, account, ending, date, format, opening, closing, credit_sum, debit_sum, credit_count, debit_count,
               content, version, stored_at] = *found;
  std::string text = id.text() + ' ' + account + ' ' + ending + ' ' + format_date(date) + ' ' + format;
  for (const auto& amount : {opening, closing, credit_sum, debit_sum})
    text += ' ' + (amount ? format_money(*amount) : "-");
  for (const auto& count : {credit_count, debit_count}) text += ' ' + (count ? std::to_string(*count) : "-");
  return text + ' ' + content + ' ' + std::to_string(version) + ' ' + format_timestamp(stored_at);
}

std::string text_of(const BankLine& shown) {
  const auto& [number, is_debit, amount, date, references, type_code, text, origin, deposit, payment, finding] = shown;
  std::string all = std::to_string(number) + (is_debit ? " debit " : " credit ") + format_money(amount) + ' ' +
                    format_date(date) + ' ' + type_code + " [" + text + ']';
  for (const auto& reference : references) all += " <" + reference + '>';
  return all + ' ' + (origin ? origin->text() : "-") + ' ' + (deposit ? deposit->text() : "-") + ' ' +
         (payment ? payment->text() : "-") + ' ' + (finding ? std::string(name_of(*finding)) : "-");
}

template <class Look>
auto look_at(StoreUnderTest& store, Look look) {
  return store.seen([&](const ports::Records& records) { return look(records.bank_statements()); });
}

std::string lines_of(StoreUnderTest& store, std::uint64_t statement, int after = 0, std::size_t limit = 99) {
  std::string text;
  for (const auto& line : look_at(store, [&](const auto& records) {
         return records.lines(kTenant, id_of<BankStatementId>(statement), after, limit);
       }))
    text += text_of(line) + '\n';
  return text;
}

std::string candidates(const std::vector<ClearingCandidate>& found) {
  std::string text;
  for (const auto& one : found)
    text += one.id.substr(one.id.size() - 1) + ' ' + format_money(one.amount) + (one.is_settled ? " settled; " : "; ");
  return text;
}

std::string off(const std::vector<ports::OffStatement>& found) {
  std::string text;
  for (const auto& one : found) text += one.id.substr(one.id.size() - 1) + ' ' + format_money(one.amount) + "; ";
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_bank_statements)

BOOST_DATA_TEST_CASE(a_statement_is_found_by_its_id_and_by_account_and_day, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto first = a_statement(1, "bac_a", 60), second = a_statement(2, "bac_a", 62),
             other = a_statement(3, "bac_b", 61);
  store.write([&](ports::Records& records) {
    for (const auto& one : {second, first, other}) records.bank_statements().insert(kTenant, one, {});
  });
  BOOST_TEST(text_of(look_at(store, [&](const auto& r) { return r.find(kTenant, first.id); })) == text_of(first));
  BOOST_TEST(text_of(look_at(store, [&](const auto& r) { return r.find(kOtherTenant, first.id); })) == "none");
  BOOST_TEST(text_of(look_at(store, [&](const auto& r) { return r.find_day(kTenant, "bac_b", day(61)); })) ==
             text_of(other));
  BOOST_TEST(text_of(look_at(store, [&](const auto& r) { return r.latest_before(kTenant, "bac_a", day(62)); })) ==
             text_of(first));
  BOOST_TEST(text_of(look_at(store, [&](const auto& r) { return r.latest_before(kTenant, "bac_a", day(60)); })) ==
             "none");
  BOOST_TEST(text_of(look_at(store, [&](const auto& r) { return r.first_of(kTenant, "bac_a"); })) == text_of(first));
  BOOST_TEST(look_at(store, [&](const auto& r) { return r.next_account(kTenant, ""); }).value_or("") == "bac_a");
  BOOST_TEST(look_at(store, [&](const auto& r) { return r.next_account(kTenant, "bac_a"); }).value_or("") == "bac_b");
  BOOST_TEST(!look_at(store, [&](const auto& r) { return r.next_account(kTenant, "bac_b"); }).has_value());
  const auto listed = [&](const ports::BankStatementFilter& filter, std::string_view after, std::size_t limit) {
    return order(look_at(store, [&](const auto& r) { return r.list(kTenant, filter, {after, limit}); }));
  };
  BOOST_TEST(listed({}, "", 9) == "123");
  BOOST_TEST(listed({}, first.id.text(), 1) == "2");
  BOOST_TEST(listed({"bac_a", std::nullopt}, "", 9) == "12");
  BOOST_TEST(listed({"", DateRange{day(61), day(62)}}, "", 9) == "23");
  BOOST_TEST(order(look_at(store, [&](const auto& r) {
               return r.of_account(kTenant, "bac_a", {day(60), day(62)});
             })) == "12");

  auto same_day = a_statement(4, "bac_a", 60);
  BOOST_TEST((store.try_to_write([&](ports::Records& records) {
    records.bank_statements().insert(kTenant, same_day, {});
  }) == ErrorCode::conflict));
  auto bare = a_statement(5, "bac_c", 60);
  bare.opening.reset();
  bare.closing.reset();
  bare.credit_sum.reset();
  bare.debit_sum.reset();
  bare.credit_count.reset();
  bare.debit_count.reset();
  store.write([&](ports::Records& records) { records.bank_statements().insert(kTenant, bare, {}); });
  BOOST_TEST(text_of(look_at(store, [&](const auto& r) { return r.find(kTenant, bare.id); })) == text_of(bare));
}

BOOST_DATA_TEST_CASE(lines_are_kept_settled_and_replaced_with_their_statement, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto statement = a_statement(1, "bac_a", 60);
  auto credit = a_line(1, false, 100), debit = a_line(2, true, 200);
  auto plain = a_line(3, false, 300);
  plain.references.clear();
  plain.text.clear();
  plain.origin.reset();
  store.write([&](ports::Records& records) {
    records.bank_statements().insert(kTenant, statement, {credit, debit, plain});
    records.bank_statements().insert(kTenant, a_statement(2, "bac_b", 60), {a_line(1, false, 900)});
  });
  BOOST_TEST(lines_of(store, 1) == text_of(credit) + '\n' + text_of(debit) + '\n' + text_of(plain) + '\n');
  BOOST_TEST(lines_of(store, 1, 1, 1) == text_of(debit) + '\n');

  credit.deposit = id_of<DepositId>(7);
  credit.finding.reset();
  debit.payment = id_of<TransferId>(8);
  debit.finding.reset();
  debit.origin.reset();
  store.write([&](ports::Records& records) {
    for (const auto& line : {credit, debit}) records.bank_statements().settle(kTenant, statement.id, line);
  });
  BOOST_TEST(lines_of(store, 1) == text_of(credit) + '\n' + text_of(debit) + '\n' + text_of(plain) + '\n');
  const auto open = look_at(store, [&](const auto& r) { return r.lines_with_finding(kTenant, statement.id, 0, 9); });
  BOOST_REQUIRE(open.size() == 1u);
  BOOST_TEST(open[0].number == 3);
  const auto sums = look_at(store, [&](const auto& r) { return r.sums(kTenant, statement.id); });
  const auto& [credits, debits, credit_count, debit_count, settled_credits, settled_debits, findings] = sums;
  BOOST_TEST(credits.cents() == 400);
  BOOST_TEST(debits.cents() == 200);
  BOOST_TEST(credit_count == 2);
  BOOST_TEST(debit_count == 1);
  BOOST_TEST(settled_credits.cents() == 100);
  BOOST_TEST(settled_debits.cents() == 200);
  BOOST_TEST(findings == 1);
  const auto is_on = [&](std::uint64_t deposit, bool is_debit) {
    return look_at(store,
                   [&](const auto& r) { return r.is_on_statement(kTenant, id_of<DepositId>(deposit), is_debit); });
  };
  BOOST_TEST((is_on(7, false) && !is_on(7, true) && !is_on(9, false)));
  // One deposit is on one credit.
  plain.deposit = id_of<DepositId>(7);
  BOOST_TEST((store.try_to_write([&](ports::Records& records) {
    records.bank_statements().settle(kTenant, statement.id, plain);
  }) == ErrorCode::conflict));

  statement.version = 4;
  statement.content = "other";
  statement.opening.reset();
  statement.stored_at = kNow.plus_ms(1);
  const auto fresh = a_line(1, true, 5);
  store.write([&](ports::Records& records) { records.bank_statements().replace(kTenant, statement, {fresh}); });
  BOOST_TEST(text_of(look_at(store, [&](const auto& r) { return r.find(kTenant, statement.id); })) ==
             text_of(statement));
  BOOST_TEST(lines_of(store, 1) == text_of(fresh) + '\n');
  BOOST_TEST(!lines_of(store, 2).empty());
}

BOOST_DATA_TEST_CASE(deposits_and_payments_are_found_by_reference_until_they_are_on_a_line, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  auto deposit = sample_deposit(1), returned = sample_deposit(2), held = sample_deposit(3);
  deposit.trace_number = "T 1";
  deposit.status = MatchState::matched;
  returned.trace_number = "T1";
  returned.status = MatchState::returned;
  returned.returned_date = deposit.received_date.plus(3);
  held.trace_number = "T1";
  held.status = MatchState::suspected_duplicate;
  deposit.received_date = returned.received_date = held.received_date;
  auto paid = sample_attempt(1, 1), back = sample_attempt(2, 1), refused = sample_attempt(3, 1);
  paid.state = AttemptState::settled;
  back.state = AttemptState::returned;
  refused.state = AttemptState::rejected;
  paid.effective_date = back.effective_date = refused.effective_date = deposit.received_date;
  for (auto* attempt : {&paid, &back, &refused}) attempt->rail_reference = "BANK-1";
  store.write([&](ports::Records& records) {
    for (const auto& one : {deposit, returned, held}) records.deposits().insert(kTenant, one);
    for (std::uint64_t n = 1; n <= 3; ++n) records.settlements().insert(kTenant, sample_settlement(n));
    for (const auto& one : {paid, back, refused}) records.settlements().insert_attempt(kTenant, one);
  });
  const auto today = deposit.received_date;
  const DateRange days{today.plus(-7), today.plus(7)}, later{today.plus(1), today.plus(7)};
  const auto id_end = [](const auto& one) { return one.id.text().substr(one.id.text().size() - 1); };
  const auto traced = [&](bool is_debit, const DateRange& range, const TenantId& tenant = kTenant) {
    return candidates(look_at(store, [&](const auto& r) { return r.deposits_traced(tenant, "t 1", is_debit, range); }));
  };
  const auto amount = [](const auto& one) { return format_money(one.amount); };
  const auto d1 = id_end(deposit) + ' ' + amount(deposit), d2 = id_end(returned) + ' ' + amount(returned);
  BOOST_TEST(traced(false, days) == d1 + "; " + d2 + "; ");
  BOOST_TEST(traced(true, days) == d2 + "; ");
  BOOST_TEST(traced(false, later).empty());
  BOOST_TEST(traced(true, later) == d2 + "; ");
  BOOST_TEST(traced(false, days, kOtherTenant).empty());
  const auto referenced = [&](const std::string& reference, bool is_debit) {
    return candidates(
        look_at(store, [&](const auto& r) { return r.payments_referenced(kTenant, reference, is_debit, days); }));
  };
  const auto p1 = id_end(paid) + ' ' + amount(paid), p2 = id_end(back) + ' ' + amount(back);
  BOOST_TEST(referenced(paid.rail_key, true) == p1 + "; ");
  BOOST_TEST(referenced(paid.rail_key, false).empty());
  BOOST_TEST(referenced(back.rail_key, false) == p2 + "; ");
  BOOST_TEST(
      (referenced("BANK-1", true) == p1 + "; " + p2 + "; " || referenced("BANK-1", true) == p2 + "; " + p1 + "; "));
  BOOST_TEST(referenced("bank", true).empty());

  const auto all_off = [&] {
    return look_at(store, [&](const auto& r) {
      return off(r.deposits_off(kTenant, days, 9)) + "| " + off(r.returns_off(kTenant, days, 9)) + "| " +
             off(r.payments_off(kTenant, days, 1)) + "| " + off(r.payments_off(kTenant, later, 9));
    });
  };
  BOOST_TEST(all_off() == d1 + "; " + d2 + "; | " + d2 + "; | " + p1 + "; | ");
  auto credit = a_line(1, false, 1), debit = a_line(2, true, 1), payment = a_line(3, true, 1);
  credit.deposit = deposit.id;
  debit.deposit = returned.id;
  payment.payment = paid.id;
  store.write([&](ports::Records& records) {
    records.bank_statements().insert(kTenant, a_statement(1, "bac_a", 60), {credit, debit, payment});
  });
  BOOST_TEST(traced(false, days) == d1 + " settled; " + d2 + "; ");
  BOOST_TEST(traced(true, days) == d2 + " settled; ");
  BOOST_TEST(referenced(paid.rail_key, true) == p1 + " settled; ");
  BOOST_TEST(all_off() == d2 + "; | | " + p2 + "; | ");
}

BOOST_AUTO_TEST_SUITE_END()
