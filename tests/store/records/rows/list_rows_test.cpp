// Lists that are ordered by id (domain::ListPage): their orders, their pages, and the bounds of the creation.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

Timestamp minute(int n) {
  return kNow.plus_ms(std::int64_t{60'000} * n);
}

/// The id of the n-th object, which is made a moment after `minute(n)`.
template <class Id>
Id made_at(int n) {
  return Id::of({static_cast<std::uint64_t>(minute(n).ms() + 5) << 16, static_cast<std::uint64_t>(n)});
}

struct List {
  const char* name;
  void (*insert)(ports::Records& records, int n);
  /// The ids of a page, in its order.
  std::vector<std::string> (*ids)(const ports::Records& records, const ListPage& page);
};

template <class Rows, class IdOf>
std::vector<std::string> ids_of(const Rows& rows, IdOf id_of_row) {
  std::vector<std::string> ids;
  for (const auto& row : rows) ids.push_back(id_of_row(row).text());
  return ids;
}

const List kLists[] = {
    {"reviews",
     [](ports::Records& records, int n) {
       auto review = sample_review(static_cast<std::uint64_t>(n));
       review.authorization_id = made_at<AuthorizationId>(n);
       review.created_at = minute(n);
       records.reviews().insert(kTenant, review);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.reviews().list(kTenant, {}, page), [](const auto& row) { return row.authorization_id; });
     }},
    {"reviews of a claim",
     [](ports::Records& records, int n) {
       auto review = sample_review(static_cast<std::uint64_t>(n));
       review.authorization_id = made_at<AuthorizationId>(n);
       review.claim_id = id_of<ClaimId>(1);
       review.created_at = minute(n);
       records.reviews().insert(kTenant, review);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.reviews().list(kTenant, {id_of<ClaimId>(1)}, page),
                     [](const auto& row) { return row.authorization_id; });
     }},
    {"settlements",
     [](ports::Records& records, int n) {
       auto stored = sample_settlement(static_cast<std::uint64_t>(n));
       stored.settlement.id = made_at<SettlementId>(n);
       stored.settlement.created_at = minute(n);
       records.settlements().insert(kTenant, stored);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.settlements().list(kTenant, {}, page), [](const auto& row) { return row.id; });
     }},
    {"claims",
     [](ports::Records& records, int n) {
       auto stored = sample_claim(static_cast<std::uint64_t>(n));
       stored.claim.id = stored.status.claim =
           ClaimId::of({static_cast<std::uint64_t>(minute(n).ms()) << 16, static_cast<std::uint64_t>(n)});
       records.claims().insert(kTenant, stored);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.claims().list(kTenant, {}, page), [](const auto& row) { return row.claim.id; });
     }},
    {"deposits",
     [](ports::Records& records, int n) {
       auto deposit = sample_deposit(static_cast<std::uint64_t>(n));
       deposit.id = made_at<DepositId>(n);
       deposit.created_at = minute(n);
       records.deposits().insert(kTenant, deposit);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.deposits().list(kTenant, {}, page), [](const auto& row) { return row.id; });
     }},
    {"remittances",
     [](ports::Records& records, int n) {
       auto remittance = sample_remittance(static_cast<std::uint64_t>(n));
       remittance.id = made_at<RemittanceId>(n);
       remittance.created_at = minute(n);
       records.remittances().insert(kTenant, remittance);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.remittances().list(kTenant, {}, page), [](const auto& row) { return row.remittance.id; });
     }},
    {"tasks",
     [](ports::Records& records, int n) {
       auto task = sample_task(static_cast<std::uint64_t>(n));
       task.id = made_at<TaskId>(n);
       task.opened_at = minute(n);
       records.tasks().open(kTenant, task);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.tasks().list(kTenant, {}, page), [](const auto& row) { return row.id; });
     }},
    {"imports",
     [](ports::Records& records, int n) {
       auto job = sample_job(static_cast<std::uint64_t>(n));
       job.id = made_at<ImportJobId>(n);
       job.submitted_at = minute(n);
       records.imports().insert(kTenant, id_of<ClientId>(1), job);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.imports().list(kTenant, page), [](const auto& row) { return row.id; });
     }},
    {"webhook endpoints",
     [](ports::Records& records, int n) {
       auto endpoint = sample_endpoint(static_cast<std::uint64_t>(n));
       endpoint.id = made_at<WebhookEndpointId>(n);
       endpoint.created_at = minute(n);
       records.webhooks().insert(kTenant, endpoint);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.webhooks().list(kTenant, page), [](const auto& row) { return row.id; });
     }},
};

/// Inserts four objects, not in their order.
void insert_four(StoreUnderTest& store, const List& list) {
  store.write([&](ports::Records& records) {
    for (const int n : {2, 1, 4, 3}) list.insert(records, n);
  });
}

std::vector<std::string> listed(StoreUnderTest& store, const List& list, const ListPage& page) {
  return store.seen([&](const ports::Records& records) { return list.ids(records, page); });
}

/// The listed objects by their numbers.
std::string numbers(StoreUnderTest& store, const List& list, const ListPage& page) {
  std::string text;
  for (const auto& id : listed(store, list, page)) text += id.back();
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_list_rows)

BOOST_DATA_TEST_CASE(a_list_has_two_orders_and_bounds_of_its_time, bdata::make(engines()), engine) {
  using enum domain::ListOrder;
  for (const auto& list : kLists) {
    StoreUnderTest store(engine);
    insert_four(store, list);
    BOOST_TEST_CONTEXT(list.name) {
      BOOST_TEST(numbers(store, list, {"", 9, oldest_first}) == "1234");
      BOOST_TEST(numbers(store, list, {"", 9, newest_first}) == "4321");
      const auto newest = listed(store, list, {"", 2, newest_first});
      BOOST_TEST(newest.size() == 2u);
      BOOST_TEST(numbers(store, list, {newest.back(), 2, newest_first}) == "21");
      BOOST_TEST(numbers(store, list, {newest.back(), 9, oldest_first}) == "4");
      BOOST_TEST(numbers(store, list, {"", 9, newest_first, minute(2), minute(4)}) == "32");
      BOOST_TEST(numbers(store, list, {"", 9, oldest_first, minute(2), std::nullopt}) == "234");
      BOOST_TEST(numbers(store, list, {"", 9, newest_first, std::nullopt, minute(2)}) == "1");
      BOOST_TEST(numbers(store, list, {"", 9, newest_first, minute(5), std::nullopt}) == "");
      BOOST_TEST(numbers(store, list, {newest.back(), 9, newest_first, minute(2), minute(4)}) == "2");
    }
  }
}

BOOST_DATA_TEST_CASE(settlements_are_found_by_each_filter_and_by_all, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto with = [](int n, SettlementStatus status, FundingStatus funding, const char* payer, Decision decision) {
    auto stored = sample_settlement(static_cast<std::uint64_t>(n));
    stored.settlement.id = made_at<SettlementId>(n);
    stored.settlement.status = status;
    stored.settlement.funding_status = funding;
    stored.settlement.payer_id = payer;
    stored.settlement.decision = decision;
    return stored;
  };
  const auto funded = with(1, SettlementStatus::funded, FundingStatus::settled, "PAYER-A", Decision::approved),
             declined = with(2, SettlementStatus::declined, FundingStatus::none, "PAYER-B", Decision::declined),
             waiting =
                 with(3, SettlementStatus::pending_confirmation, FundingStatus::none, "PAYER-A", Decision::approved);
  store.write([&](ports::Records& records) {
    for (const auto& stored : {funded, declined, waiting}) records.settlements().insert(kTenant, stored);
    records.settlements().insert(kOtherTenant, sample_settlement(1));
  });
  const auto found = [&](const ports::SettlementFilter& filter) {
    std::string text;
    for (const auto& settlement : store.seen([&](const ports::Records& records) {
           return records.settlements().list(kTenant, filter, {"", 9, domain::ListOrder::newest_first});
         }))
      text += settlement.id.text().back();
    return text;
  };
  BOOST_TEST(found({}) == "321");
  BOOST_TEST(found({.claim = id_of<ClaimId>(2)}) == "2");
  BOOST_TEST(found({.payer_id = "PAYER-A"}) == "31");
  BOOST_TEST(found({.status = SettlementStatus::declined}) == "2");
  BOOST_TEST(found({.decision = Decision::approved}) == "31");
  BOOST_TEST(found({.funding_status = FundingStatus::none}) == "32");
  BOOST_TEST(found({.payer_id = "PAYER-A", .funding_status = FundingStatus::none}) == "3");
  BOOST_TEST(found({.claim = id_of<ClaimId>(1), .status = SettlementStatus::declined}) == "");
}

BOOST_DATA_TEST_CASE(claims_are_found_by_status_and_payer, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto paid = sample_claim(2);
  paid.status.status = ClaimStatus::paid;
  paid.claim.draft.payer_id = "PAYER-B";
  store.write([&](ports::Records& records) {
    for (const auto& claim : {sample_claim(1), paid, sample_claim(3)}) records.claims().insert(kTenant, claim);
  });
  const auto found = [&](const ports::ClaimFilter& filter) {
    std::string text;
    for (const auto& stored : store.seen([&](const ports::Records& records) {
           return records.claims().list(kTenant, filter, {"", 9});
         }))
      text += stored.claim.id.text().back();
    return text;
  };
  BOOST_TEST(found({}) == "123");
  BOOST_TEST(found({.payer_id = "PAYER-B"}) == "2");
  BOOST_TEST(found({.status = ClaimStatus::reviewed}) == "13");
  BOOST_TEST(found({.payer_id = "PAYER-B", .status = ClaimStatus::reviewed}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
