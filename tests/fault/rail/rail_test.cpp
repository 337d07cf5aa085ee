// The bank that the fault tests believe must itself be beyond doubt: each behaviour does to the money what its name
// says.
#include <boost/test/unit_test.hpp>

#include <stdlib.h>

#include <chrono>
#include <filesystem>

#include "core/plugin_host/plugin_host.hpp"
#include "tests/fault/rail/bank_book.hpp"

using namespace tideover;
using namespace std::chrono_literals;
using fault::BankBook;
using Kind = ports::RailOutcome::Kind;

namespace {

class StillClock final : public ports::Clock {
 public:
  domain::Timestamp now() const override { return domain::Timestamp::from_ms(1'795'186'800'000); }
};

class UtcBankTime final : public ports::BankTime {
 public:
  domain::Date date_at(domain::Timestamp at) const override { return at.utc_date(); }
  int minute_of_day(domain::Timestamp) const override { return 600; }
  domain::Timestamp instant(domain::Date, int) const override { return domain::Timestamp::from_ms(1'795'186'800'000); }
  std::unique_ptr<ports::BankTime> in_zone(const std::string&) const override {
    return std::make_unique<UtcBankTime>();
  }
};

struct Bank {
  explicit Bank(const std::string& recall) : recall_(recall) {
    std::string name = (std::filesystem::temp_directory_path() / "tideover-fault-rail-XXXXXX").string();
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
    book.emplace(folder_);
    open();
  }
  ~Bank() {
    host_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// Another process before the same bank.
  void open() {
    auto host = plugin_host::PluginHost::load(
        {{TIDEOVER_FAULT_RAIL, "funding_rail", "", {{"folder", folder_.string()}, {"recall", recall_}}}},
        {clock_, bank_time_, {}, {}});
    if (!host) BOOST_FAIL(host.error().message);
    host_ = std::move(*host);
  }

  ports::RailOutcome submit(const std::string& key = "k1") {
    return host_->rails().find("FAULT")->submit(
        {key, domain::Money::cents(64'000), "tok_ok", *domain::Date::from_ymd(2026, 11, 20)}, 50ms);
  }
  ports::RailOutcome query(const std::string& key = "k1") {
    return host_->rails().find("FAULT")->query(key, domain::Money::cents(64'000), 50ms);
  }
  std::size_t payments() { return book->payments().size(); }

  std::optional<BankBook> book;

 private:
  const std::string recall_;
  StillClock clock_;
  UtcBankTime bank_time_;
  std::filesystem::path folder_;
  std::unique_ptr<plugin_host::PluginHost> host_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(fault_rail)

BOOST_AUTO_TEST_CASE(an_accepted_payment_is_one_line_with_its_key_amount_and_account) {
  Bank bank("query");
  BOOST_TEST((bank.submit().kind == Kind::accepted));
  const auto payments = bank.book->payments();
  BOOST_REQUIRE_EQUAL(payments.size(), 1u);
  BOOST_TEST(payments[0].key == "k1");
  BOOST_TEST(payments[0].amount == 64'000);
  BOOST_TEST(payments[0].account == fault::fingerprint_of("tok_ok"));
  BOOST_TEST((bank.query().kind == Kind::accepted));
}

BOOST_AUTO_TEST_CASE(a_dedup_bank_pays_a_key_once_and_every_other_bank_as_often_as_it_is_asked) {
  for (const char* recall : {"dedup", "fence", "query", "blind"}) {
    Bank bank(recall);
    (void)bank.submit();
    bank.open();
    BOOST_TEST((bank.submit().kind == Kind::accepted));
    BOOST_TEST(bank.payments() == (std::string(recall) == "dedup" ? 1u : 2u), recall);
  }
}

BOOST_AUTO_TEST_CASE(behaviours_move_the_money_or_not_and_lose_the_answer) {
  for (const char* paying : {"pay_silent", "late", "twice", "throw", "garbage", "no_reference", "not_found"}) {
    Bank bank("query");
    bank.book->script("submit", {paying});
    BOOST_TEST((bank.submit().kind == Kind::unknown), paying);
    BOOST_TEST(bank.payments() == 1u, paying);
    BOOST_TEST((bank.query().kind == Kind::accepted), paying);
  }
  Bank lost("query");
  lost.book->script("submit", {"lost"});
  BOOST_TEST((lost.submit().kind == Kind::unknown));
  BOOST_TEST((lost.query().kind == Kind::not_found));
  BOOST_TEST(lost.payments() == 0u);
  BOOST_TEST((lost.submit().kind == Kind::accepted), "behind its script a bank pays");
}

BOOST_AUTO_TEST_CASE(a_wrong_amount_or_key_is_on_the_book_as_it_was_paid) {
  Bank bank("query");
  bank.book->script("submit", {"wrong_amount", "wrong_key"});
  (void)bank.submit("a");
  (void)bank.submit("b");
  const auto payments = bank.book->payments();
  BOOST_REQUIRE_EQUAL(payments.size(), 2u);
  BOOST_TEST(payments[0].amount == 63'999);
  BOOST_TEST(payments[1].key == "bx");
}

BOOST_AUTO_TEST_CASE(a_held_message_arrives_behind_a_question_that_did_not_find_it) {
  Bank bank("query");
  bank.book->script("submit", {"hold 1"});
  BOOST_TEST((bank.submit().kind == Kind::unknown));
  BOOST_TEST(bank.book->held() == 1u);
  BOOST_TEST((bank.query().kind == Kind::not_found));
  BOOST_TEST(bank.payments() == 1u);
  BOOST_TEST(bank.book->held() == 0u);
  BOOST_TEST((bank.query().kind == Kind::accepted));
}

BOOST_AUTO_TEST_CASE(a_fence_blocks_a_payment_under_way) {
  Bank bank("fence");
  bank.book->script("submit", {"hold 1"});
  (void)bank.submit();
  BOOST_TEST((bank.query().kind == Kind::not_found));
  bank.book->deliver_all(BankBook::Memory::never);
  BOOST_TEST(bank.payments() == 0u);
  BOOST_TEST((bank.submit().kind == Kind::rejected), "a canceled key stays canceled");
  BOOST_TEST(bank.payments() == 0u);
}

BOOST_AUTO_TEST_CASE(a_refusal_is_final) {
  Bank bank("dedup");
  bank.book->script("submit", {"refuse R03"});
  BOOST_TEST(bank.submit().reason_code == "R03");
  BOOST_TEST(bank.submit().reason_code == "R03");
  BOOST_TEST(bank.payments() == 0u);
}

BOOST_AUTO_TEST_CASE(a_blind_bank_answers_every_query_with_unknown) {
  Bank bank("blind");
  (void)bank.submit();
  BOOST_TEST((bank.query().kind == Kind::unknown));
}

BOOST_AUTO_TEST_CASE(always_stands_for_every_further_call) {
  Bank bank("query");
  bank.book->script("query", {"silent", "always garbage"});
  for (int i = 0; i < 3; ++i) BOOST_TEST((bank.query().kind == Kind::unknown));
}

BOOST_AUTO_TEST_SUITE_END()
