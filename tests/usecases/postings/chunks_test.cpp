// Long remittances end as if they were posted at once, in transactions of bounded size.
#include "tests/usecases/postings/postings_world.hpp"

using namespace tideover;
using tests::Cash;
using tests::Plb;
using tests::PostingsWorld;
using tests::Remittance;
using tests::why;

namespace {

/// Counts what each commit adds to the allocation of remittances.
class ClaimCountingStore final : public ports::Store {
 public:
  ClaimCountingStore(ports::Store& real, const domain::TenantId& tenant) : real_(real), tenant_(tenant) {}
  domain::Status read(const std::function<void(const ports::Records&)>& look) override { return real_.read(look); }
  domain::Status commit(const Unit& unit, ports::Priority priority) override {
    const auto before = posted();
    auto done = real_.commit(unit, priority);
    commits.emplace_back(posted() - before, priority);
    return done;
  }

  std::vector<std::pair<std::int64_t, ports::Priority>> commits;

 private:
  std::int64_t posted() {
    std::int64_t claims = 0;
    BOOST_REQUIRE(bool(real_.read([&](const ports::Records& records) {
      claims = 0;
      for (const auto& one : records.remittances().list(tenant_, {}, {"", 10})) claims += one.claims.posted;
    })));
    return claims;
  }

  ports::Store& real_;
  const domain::TenantId& tenant_;
};

struct ChunkCase {
  const char* what;
  std::vector<std::string> funded;
  std::vector<std::string> unfunded;
  Remittance remittance;
};

std::vector<tests::PaidClaim> paid_in_full(std::initializer_list<const char*> names) {
  std::vector<tests::PaidClaim> claims;
  for (const auto* name : names) claims.push_back({name, 79'000});
  return claims;
}

std::vector<tests::PaidClaim> operator+(std::vector<tests::PaidClaim> some, const std::vector<tests::PaidClaim>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

const std::vector<std::string> kSixNames{"A", "B", "C", "D", "E", "F"};

std::vector<ChunkCase> chunk_cases() {
  const auto six = paid_in_full({"A", "B", "C", "D", "E", "F"});
  std::vector<ChunkCase> all;
  all.push_back({"all are paid", kSixNames, {}, {"N1", "T1", six}});
  all.push_back({"an advance is not funded", {"A", "C", "D", "E", "F"}, {"B"}, {"N1", "T1", six}});
  all.push_back({"claims without an advance", {"A", "C"}, {}, {"N1", "T1", six}});
  all.push_back({"a claim is answered in two parts, far apart",
                 kSixNames,
                 {},
                 {"N1", "T1",
                  std::vector<tests::PaidClaim>{{"A", 39'000, 50'000}} + paid_in_full({"B", "C", "D", "E", "F"}) +
                      std::vector<tests::PaidClaim>{{"A", 40'000, 50'000}}}});
  all.push_back({"a claim is paid twice in one remittance", kSixNames, {}, {"N1", "T1", six + paid_in_full({"A"})}});
  all.push_back(
      {"a claim is paid above its charge",
       kSixNames,
       {},
       {"N1", "T1", std::vector<tests::PaidClaim>{{"A", 120'000}} + paid_in_full({"B", "C", "D", "E", "F"})}});
  all.push_back({"a denial, an answer without a rule and a payment of nothing",
                 kSixNames,
                 {},
                 {"N1", "T1",
                  paid_in_full({"A", "B", "C", "D"}) +
                      std::vector<tests::PaidClaim>{{"E", 0, 100'000, std::nullopt, "4"},
                                                    {"F", 79'000, 100'000, std::nullopt, "4"}}}});
  all.push_back({"a takeback and its correction, far apart",
                 kSixNames,
                 {},
                 {"N1", "T1",
                  paid_in_full({"A", "B", "C", "D", "E", "F"}) +
                      std::vector<tests::PaidClaim>{{"A", -79'000, -100'000, std::nullopt, "22"}, {"A", 60'000}}}});
  all.push_back({"a takeback of nothing that was paid holds all",
                 kSixNames,
                 {},
                 {"N1", "T1", six + std::vector<tests::PaidClaim>{{"G", -10'000, -20'000, std::nullopt, "22"}}}});
  all.push_back({"a takeback in question holds all",
                 {"A", "B", "C", "D", "E", "F", "G"},
                 {},
                 {"N1", "T1", six + std::vector<tests::PaidClaim>{{"G", -10'000, -20'000, std::nullopt, "22"}}}});
  Remittance adjusted{"N1", "T1", six};
  adjusted.adjustments = {{"L6", -150}, {"WO", 50'000}, {"FB", -20'000}, {"72", 500}};
  all.push_back({"provider adjustments", kSixNames, {}, adjusted});
  Remittance recovered{"N1", "T1", six};
  recovered.adjustments = {{"WO", 30'000, "F"}};
  all.push_back({"a recovery that names a claim of the remittance", kSixNames, {}, recovered});
  return all;
}

std::string chunk_outcome(const ChunkCase& one, const domain::PostingSizes& sizes, bool is_money_first) {
  PostingsWorld world(sizes);
  for (const auto& name : one.funded) world.fund({name});
  for (const auto& name : one.unfunded) world.send({name});
  std::int64_t cents = 0;
  for (const auto& claim : one.remittance.claims) cents += claim.paid;
  for (const auto& plb : one.remittance.adjustments) cents -= plb.cents;
  const Cash cash{"D1", cents, "T1"};
  if (is_money_first) world.arrives(cash);
  world.arrives(one.remittance);
  if (!is_money_first) world.arrives(cash);
  BOOST_TEST(!world.is_posting());
  auto text = world.outcome();
  world.resolve();  // what was not funded is now
  text += " || " + world.outcome();
  world.teardown();
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(posting_in_chunks)

BOOST_AUTO_TEST_CASE(chunks_end_as_one_transaction_does) {
  for (const auto& one : chunk_cases())
    for (const bool is_money_first : {false, true})
      BOOST_TEST_CONTEXT(one.what << (is_money_first ? ", the money first" : ", the remittance first"))
  for (const auto& sizes : {tests::kSmallChunks, domain::PostingSizes{1, 1}})
    BOOST_TEST(chunk_outcome(one, sizes, is_money_first) == chunk_outcome(one, tests::kAtOnce, is_money_first));
}

BOOST_FIXTURE_TEST_CASE(no_transaction_posts_more_than_a_chunk, PostingsWorld) {
  fund_all(10);
  arrives(remittance(10));
  ClaimCountingStore counting(*store, caller.tenant);
  usecases::PostDeposit post(counting, payers, ids, &rules, tests::kSmallChunks);
  const auto answer = post(context("deposit", "key"), money(790'000), [](const auto&) { return "done"; });
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  using ports::Priority;
  const std::vector<std::pair<std::int64_t, Priority>> expected{
      {0, Priority::interactive},  // the deposit is matched
      {3, Priority::bulk},        {3, Priority::bulk}, {3, Priority::bulk},
      {1, Priority::bulk},        {0, Priority::bulk},  // the posting ends
      {0, Priority::interactive},                       // the response is complete
  };
  BOOST_TEST((counting.commits == expected));
  BOOST_TEST(states().find("waiting") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_short_remittance_is_posted_with_its_deposit, PostingsWorld) {
  fund_all(4);
  arrives(remittance(4));
  ClaimCountingStore counting(*store, caller.tenant);
  usecases::PostDeposit post(counting, payers, ids, &rules, tests::kSmallChunks);
  BOOST_REQUIRE(bool(post(context("deposit"), money(316'000), [](const auto&) { return "done"; })));
  BOOST_TEST(counting.commits.size() == 1U);
  BOOST_TEST(counting.commits.front().first == 4);
}

BOOST_FIXTURE_TEST_CASE(the_stored_response_is_the_complete_one, PostingsWorld) {
  fund_all(6);
  arrives(remittance(6));
  const auto answer = deposit(474'000);
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  BOOST_TEST(tail_of(answer->body) == "matched 6");
  BOOST_TEST(answer_under("deposit", "key")->body == answer->body);
}

BOOST_FIXTURE_TEST_CASE(a_repeat_while_it_runs_reads_that_posting_goes_on, PostingsWorld) {
  fund_all(6);
  arrives(remittance(6));
  store->before_commit(3, [&] {
    BOOST_TEST(tail_of(answer_under("deposit", "key")->body) == "partly_matched 0 posting");
    BOOST_TEST(is_posting());
    BOOST_TEST(states() == "posted posted posted waiting waiting waiting");
    BOOST_TEST(balance("suspense_unmatched") == domain::Money::cents(-3 * 79'000));
    verify();
    // Another writer is not held up, and does not see half of a chunk.
    review(draft("OTHER"));
    arrives(remittance(6));                                               // the same remittance again
    BOOST_TEST(states() == "posted posted posted posted posted posted");  // the repeat helped
  });
  const auto answer = deposit(474'000);
  BOOST_REQUIRE_MESSAGE(answer, why(answer));
  BOOST_TEST(tail_of(answer->body) == "matched 6");
}

BOOST_FIXTURE_TEST_CASE(a_remittance_that_finds_its_money_is_posted_in_chunks, PostingsWorld) {
  fund_all(6);
  arrives(Cash{"D1", 474'000, "T1"});
  store->before_commit(3, [&] { verify(); });
  arrives(remittance(6));
  BOOST_TEST(ends().find("D1 matched") == 0U);
  BOOST_TEST(states() == "posted posted posted posted posted posted");
}

BOOST_FIXTURE_TEST_CASE(a_remittance_that_completes_a_deposit_posts_the_other_one_too, PostingsWorld) {
  fund_all(10);
  arrives(Cash{"D1", 790'000, "T1"});
  auto first = remittance(10), second = first;
  first.claims.resize(5);
  second.name = "N2";
  second.claims.erase(second.claims.begin(), second.claims.begin() + 5);
  arrives(first);
  BOOST_TEST(states() == "waiting waiting waiting waiting waiting");  // a part of the deposit
  arrives(second);
  BOOST_TEST(states("N1") == "posted posted posted posted posted");
  BOOST_TEST(states("N2") == "posted posted posted posted posted");
  BOOST_TEST(!is_posting("N1"));
  BOOST_TEST(!is_posting("N2"));
}

BOOST_FIXTURE_TEST_CASE(a_deposit_sent_again_while_it_is_posted_says_so_and_helps, PostingsWorld) {
  fund_all(6);
  arrives(remittance(6));
  auto sent = money(474'000);
  sent.external_id = "X1";
  std::vector<bool> are_posting;
  const auto send = [&] {
    const auto answer = (*post_deposit)(context("deposit"), sent, [&](const auto& posted) {
      are_posting.push_back(!posted.posting.empty());
      return std::string("done");
    });
    BOOST_REQUIRE_MESSAGE(answer, why(answer));
  };
  store->before_commit(3, send);
  send();
  // The first response, and the same completed; in between the repeat, twice.
  BOOST_TEST(are_posting == (std::vector<bool>{true, true, false, false}), boost::test_tools::per_element());
  BOOST_TEST(states() == "posted posted posted posted posted posted");
}

namespace {

/// The rows of a remittance with its practices, and the learned ids that are left.
std::string practices_outcome(const domain::PostingSizes& sizes, const std::vector<Plb>& adjustments) {
  constexpr const char* kNorth = "1234567893";
  constexpr const char* kSouth = "1234567802";
  PostingsWorld world(sizes);
  for (const auto* name : {"T", "A", "B", "C"}) world.fund({name, 100'000, "PAYER", {}, kNorth});
  for (const auto* name : {"D", "E", "F"}) world.fund({name, 100'000, "PAYER", {}, kSouth});
  const auto pays = [&](Remittance remittance) {
    remittance.tax_id = "51-2345678";
    std::int64_t cents = 0;
    for (const auto& claim : remittance.claims) cents += claim.paid;
    for (const auto& plb : remittance.adjustments) cents -= plb.cents;
    world.arrives(remittance);
    world.arrives(Cash{"D" + remittance.name, cents, remittance.trace});
  };
  pays({"N0", "T0", {{"T", 79'000}}});  // teaches that the tax id is that of the first practice
  const auto learned = [&] {
    return world.seen([&](const ports::Records& records) {
      return records.payee_aliases().list(world.caller.tenant, {"", 10}).size();
    });
  };
  BOOST_TEST(learned() == 1U);
  Remittance both{"N1", "T1", paid_in_full({"A", "B", "C", "D", "E", "F"})};
  both.claims.push_back({"STRANGER", 1'000, 5'000});
  both.adjustments = adjustments;
  pays(both);
  std::vector<std::string> lines;
  for (const auto& row : world.seen([&](const ports::Records& records) {
         return records.allocations().of(world.caller.tenant, world.remittances.at("N1"));
       }))
    if (row.account != domain::AllocationAccount::advance)
      lines.push_back(format_money(row.amount) + " to " + row.payee_npi);
  std::sort(lines.begin(), lines.end());
  return world.outcome() + " | " + std::to_string(learned()) + " learned | " + PostingsWorld::joined(lines);
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_id_that_a_long_remittance_makes_ambiguous_names_none_of_its_lines) {
  for (const auto& adjustments : {std::vector<Plb>{}, std::vector<Plb>{{"L6", -150}}})
    BOOST_TEST(practices_outcome(tests::kSmallChunks, adjustments) == practices_outcome(tests::kAtOnce, adjustments));
}

BOOST_AUTO_TEST_SUITE_END()
