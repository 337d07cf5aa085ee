// A bank's file of deposits over the real store: the effect of each transaction, and of the same file sent twice.
#include "core/usecases/reconciliation/post_deposit_file.hpp"
#include "tests/usecases/world.hpp"

using namespace tideover;
using domain::DepositFile;
using domain::DepositFileItem;
using domain::ErrorCode;
using domain::Money;
using tests::why;
using tests::World;

namespace {

/// A format that returns the items of the test.
class SetFormat final : public ports::DepositFormat, public ports::DepositFormats {
 public:
  std::string_view name() const override { return "set"; }
  domain::Result<DepositFile> parse(std::string_view) override { return file; }
  DepositFormat* find(std::string_view name_asked) override { return name_asked == name() ? this : nullptr; }
  std::vector<std::string> names() const override { return {"set"}; }

  DepositFile file;
};

struct FileWorld : World {
  SetFormat formats;
  usecases::PostDepositFile post_file{*store, formats, digests, ids};
  usecases::PostedDepositFile last;

  DepositFileItem credit(std::int64_t cents, const std::string& reference, const std::string& payer = "PAYER",
                         const std::string& trace = "") {
    DepositFileItem item;
    item.line = static_cast<std::int64_t>(formats.file.items.size()) + 1;
    item.reference = reference;
    item.deposit.amount = Money::cents(cents);
    item.deposit.payer_id = payer;
    item.deposit.trace_number = trace;
    item.deposit.received_date = clock.now().utc_date();
    return item;
  }
  DepositFileItem left_out(DepositFileItem::Kind kind) {
    DepositFileItem item;
    item.line = static_cast<std::int64_t>(formats.file.items.size()) + 1;
    item.kind = kind;
    item.reason = "for a reason";
    return item;
  }
  void add(DepositFileItem item) { formats.file.items.push_back(std::move(item)); }

  domain::Result<usecases::StoredResponse> try_post(const std::string& key = "") {
    return post_file(context("file", key), "set", "bytes", [&](const usecases::PostedDepositFile& posted) {
      last = posted;
      std::string body;
      for (const auto& item : posted.items) body += std::string(name_of(item.result)) + ' ';
      return body;
    });
  }
  std::string post() {
    const auto answer = try_post();
    BOOST_REQUIRE_MESSAGE(answer, "the file was refused: " << why(answer));
    return answer->body;
  }
  void announce(const std::string& trace, std::int64_t cents, const std::string& originator = "") {
    domain::RemittanceDraft draft;
    draft.payer_id = "PAYER";
    draft.trace_number = trace;
    draft.originator_id = originator;
    draft.payment_date = clock.now().utc_date();
    draft.payment_amount = Money::cents(cents);
    domain::RemittanceClaim claim;
    claim.claim_identifier = "CLM";
    claim.status = "1";
    claim.charge_amount = Money::cents(100'000);
    claim.paid_amount = Money::cents(cents);
    draft.claims = {claim};
    const auto answer =
        (*post_remittance)(context("remittance"), {draft}, [](const auto&) { return std::string("ok"); });
    BOOST_REQUIRE_MESSAGE(answer, "the remittance was refused: " << why(answer));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(deposit_files, FileWorld)

BOOST_AUTO_TEST_CASE(each_credit_becomes_a_deposit_and_a_repeated_file_changes_nothing) {
  add(credit(79'000, "a"));
  add(left_out(DepositFileItem::Kind::ignored));
  add(credit(100, "b"));
  add(left_out(DepositFileItem::Kind::refused));
  BOOST_TEST(post() == "created ignored created refused ");
  BOOST_TEST(balance("suspense_unmatched").cents() == -79'100);
  BOOST_TEST(events("deposit.received") == 2);
  const auto tasks_before = tasks().size();
  const auto first = last;

  clock.advance_s(86'400);
  BOOST_TEST(post() == "duplicate ignored duplicate refused ");
  BOOST_TEST((last.items[0].posted->deposit.id == first.items[0].posted->deposit.id));
  BOOST_TEST(balance("suspense_unmatched").cents() == -79'100);
  BOOST_TEST(events("deposit.received") == 2);
  BOOST_TEST(tasks().size() == tasks_before);
}

BOOST_AUTO_TEST_CASE(two_identical_credits_are_two_deposits) {
  add(credit(79'000, "same"));
  add(credit(79'000, "same"));
  BOOST_TEST(post() == "created created ");
  add(credit(79'000, "same"));
  BOOST_TEST(post() == "duplicate duplicate created ");
  BOOST_TEST(balance("suspense_unmatched").cents() == -237'000);
}

BOOST_AUTO_TEST_CASE(credits_that_add_up_without_a_trace_number_wait_for_a_reviewer) {
  announce("T1", 80'000);
  add(credit(50'000, "1"));
  add(credit(30'000, "2"));
  post();
  // A sum without a trace number is a proposal only.
  for (const auto& item : last.items) BOOST_TEST((item.posted->deposit.status == domain::MatchState::unmatched));
}

BOOST_AUTO_TEST_CASE(an_interrupted_large_file_resumes_where_it_stopped) {
  constexpr int kCredits = 250;  // three units of work
  for (int i = 0; i < kCredits; ++i) add(credit(100 + i, std::to_string(i)));
  const std::int64_t whole = kCredits * 100 + kCredits * (kCredits - 1) / 2;
  const auto taken = [&] { return events("deposit.received"); };

  store->die_after(1);
  BOOST_REQUIRE(!try_post("key"));
  store->revive();
  BOOST_TEST(taken() == 100);
  store->lose_answer_of_commit(2);  // the second unit of the second try is committed, its answer is lost
  BOOST_REQUIRE(!try_post("key"));
  BOOST_TEST(taken() == 200);
  BOOST_TEST(!answer_under("file", "key").has_value());

  BOOST_REQUIRE(bool(try_post("key")));
  BOOST_TEST(last.items.size() == static_cast<std::size_t>(kCredits));
  for (int i = 0; i < kCredits; ++i) {
    const auto& item = last.items[static_cast<std::size_t>(i)];
    BOOST_TEST(item.line == i + 1);
    BOOST_TEST((item.result ==
                (i < 200 ? usecases::PostedFileItem::Result::duplicate : usecases::PostedFileItem::Result::created)));
  }
  BOOST_TEST(taken() == kCredits);
  BOOST_TEST(balance("suspense_unmatched").cents() == -whole);
  BOOST_TEST(answer_under("file", "key").has_value());
}

BOOST_AUTO_TEST_CASE(the_answer_to_a_file_is_stored_under_its_key) {
  add(credit(79'000, "a"));
  BOOST_REQUIRE(bool(try_post("key")));
  BOOST_REQUIRE(answer_under("file", "key").has_value());
  BOOST_TEST(answer_under("file", "key")->body == "created ");
}

BOOST_AUTO_TEST_CASE(a_deposit_dated_after_tomorrow_is_refused) {
  add(credit(79'000, "tomorrow"));
  formats.file.items[0].deposit.received_date = clock.now().utc_date().plus(1);
  add(credit(100, "later"));
  formats.file.items[1].deposit.received_date = clock.now().utc_date().plus(2);
  BOOST_TEST(post() == "created refused ");
  BOOST_TEST(last.items[1].reason.find("future") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_of_refused_items_only_is_refused_and_stores_nothing) {
  add(left_out(DepositFileItem::Kind::ignored));
  add(left_out(DepositFileItem::Kind::refused));
  const auto answer = try_post("key");
  BOOST_REQUIRE(!answer);
  BOOST_TEST((answer.error().code == ErrorCode::invalid_payload));
  BOOST_TEST(answer.error().message.find("Line 2: for a reason") != std::string::npos, answer.error().message);
  BOOST_TEST(!answer_under("file", "key").has_value());
}

BOOST_AUTO_TEST_CASE(a_statement_without_payments_is_accepted) {
  add(left_out(DepositFileItem::Kind::ignored));
  BOOST_TEST(post() == "ignored ");
}

BOOST_AUTO_TEST_CASE(an_unknown_format_is_refused_with_the_known_ones) {
  const auto answer = post_file(context("file"), "mt940", "bytes", [](const auto&) { return std::string(); });
  BOOST_REQUIRE(!answer);
  BOOST_TEST((answer.error().code == ErrorCode::unsupported_format));
}

BOOST_AUTO_TEST_CASE(a_deposit_of_an_unknown_payer_is_booked_and_waits_for_a_reviewer_or_its_remittance) {
  funded("CLM");
  add(credit(79'000, "traced", "", "T-1"));
  add(credit(100, "untraced", ""));
  BOOST_TEST(post() == "created created ");
  BOOST_TEST(balance("suspense_unmatched").cents() == -79'100);
  BOOST_TEST(tasks("deposit_unmatched").size() == 2u);

  announce("T-1", 79'000);
  BOOST_TEST(balance("suspense_unmatched").cents() == -100);
  const auto left = tasks("deposit_unmatched");
  BOOST_REQUIRE(left.size() == 1);
  BOOST_TEST(left[0].object_id == last.items[1].posted->deposit.id.text());
}

BOOST_AUTO_TEST_CASE(the_remittance_of_an_unknown_payer_may_arrive_first) {
  funded("CLM");
  announce("T-1", 79'000);
  add(credit(79'000, "traced", "", "T-1"));
  BOOST_TEST(post() == "created ");
  BOOST_TEST((last.items[0].posted->deposit.status == domain::MatchState::matched));
  BOOST_TEST(tasks("deposit_unmatched").empty());
}

BOOST_AUTO_TEST_CASE(a_deposit_of_an_unknown_payer_does_not_match_another_originator) {
  funded("CLM");
  announce("T-1", 79'000, "1999999999");
  add(credit(79'000, "traced", "", "T-1"));
  formats.file.items[0].deposit.originator = "1512345678";
  BOOST_TEST(post() == "created ");
  BOOST_TEST((last.items[0].posted->deposit.status == domain::MatchState::unmatched));
  BOOST_TEST(tasks("deposit_unmatched").size() == 1u);
}

BOOST_AUTO_TEST_CASE(two_unknown_payers_without_trace_numbers_do_not_match) {
  domain::RemittanceDraft draft;
  draft.payment_date = clock.now().utc_date();
  draft.payment_amount = Money::cents(79'000);
  domain::RemittanceClaim claim;
  claim.claim_identifier = "CLM";
  claim.status = "1";
  claim.charge_amount = Money::cents(100'000);
  claim.paid_amount = Money::cents(79'000);
  draft.claims = {claim};
  add(credit(79'000, "untraced", ""));
  BOOST_TEST(post() == "created ");
  BOOST_REQUIRE(
      bool((*post_remittance)(context("remittance"), {draft}, [](const auto&) { return std::string("ok"); })));
  BOOST_TEST(balance("suspense_unmatched").cents() == -79'000);
  BOOST_TEST(tasks("deposit_unmatched").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_deposit_sent_again_with_its_payer_is_a_duplicate) {
  add(credit(79'000, "a", ""));
  BOOST_TEST(post() == "created ");
  formats.file.items[0].deposit.payer_id = "PAYER";
  BOOST_TEST(post() == "duplicate ");
}

BOOST_AUTO_TEST_CASE(a_deposit_sent_again_with_its_payer_is_matched_again) {
  funded("CLM");
  announce("T-1", 79'000);
  add(credit(79'000, "a", ""));
  add(credit(100, "b", ""));
  BOOST_TEST(post() == "created created ");
  BOOST_TEST(tasks("deposit_unmatched").size() == 2u);
  const int rows = audit_rows();
  formats.file.items[0].deposit.payer_id = "PAYER";
  BOOST_TEST(post() == "duplicate duplicate ");
  BOOST_TEST((last.items[0].posted->deposit.status == domain::MatchState::matched));
  BOOST_TEST(last.items[0].posted->records.size() == 1u);
  BOOST_TEST(balance("suspense_unmatched").cents() == -100);
  BOOST_TEST(tasks("deposit_unmatched").size() == 1u);
  BOOST_TEST(audit_rows() == rows + 1);
  BOOST_TEST(events("deposit.received") == 2);
}

BOOST_AUTO_TEST_CASE(the_response_names_what_a_long_remittance_posted) {
  usecases::PostDepositFile in_chunks{*store, formats, digests, ids, &rules, {1, 1}};
  usecases::PostRemittance post_long(*store, payers, remittance_formats, digests, ids, &rules, {1, 1});
  domain::RemittanceDraft draft;
  draft.payer_id = "PAYER";
  draft.trace_number = "T-1";
  draft.payment_date = clock.now().utc_date();
  draft.payment_amount = Money::cents(158'000);
  for (const auto* name : {"A", "B"}) {
    funded(name);
    auto& claim = draft.claims.emplace_back();
    claim.claim_identifier = name;
    claim.status = "1";
    claim.charge_amount = Money::cents(100'000);
    claim.paid_amount = Money::cents(79'000);
  }
  BOOST_REQUIRE(bool(post_long(context("remittance"), {draft}, [](const auto&) { return std::string("ok"); })));
  add(credit(158'000, "a", "PAYER", "T-1"));
  const auto answer = in_chunks(context("file", "key"), "set", "bytes", [](const usecases::PostedDepositFile& posted) {
    const auto& one = *posted.items.front().posted;
    return std::string(name_of(one.deposit.status)) + ' ' + std::to_string(one.records.size()) +
           (one.posting.empty() ? "" : " posting");
  });
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  BOOST_TEST(answer->body == "matched 2");
  BOOST_TEST(answer_under("file", "key")->body == answer->body);
}

BOOST_AUTO_TEST_SUITE_END()
