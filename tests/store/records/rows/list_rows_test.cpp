// Lists that are ordered by id (domain::ListPage): their orders, their pages, and the bounds of the creation.
#include <algorithm>
#include <iterator>

#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

Timestamp minute(int n) {
  return kNow.plus_ms(std::int64_t{60'000} * n);
}

/// The n-th object: created at `minute(n)`, by a clock that is `ahead_ms` ahead of the time in its id.
struct Made {
  int n = 0;
  std::int64_t ahead_ms = -5;

  Timestamp at() const { return minute(n); }
  std::uint64_t number() const { return static_cast<std::uint64_t>(n); }
  template <class Id>
  Id id() const {
    return Id::of({static_cast<std::uint64_t>(minute(n).ms() - ahead_ms) << 16, number()});
  }
};

struct List {
  const char* name;
  void (*insert)(ports::Records& records, const Made& made);
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
     [](ports::Records& records, const Made& made) {
       auto review = sample_review(made.number());
       review.authorization_id = made.id<AuthorizationId>();
       review.created_at = made.at();
       records.reviews().insert(kTenant, review);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.reviews().list(kTenant, {}, page), [](const auto& row) { return row.authorization_id; });
     }},
    {"reviews of a claim",
     [](ports::Records& records, const Made& made) {
       auto review = sample_review(made.number());
       review.authorization_id = made.id<AuthorizationId>();
       review.claim_id = id_of<ClaimId>(1);
       review.created_at = made.at();
       records.reviews().insert(kTenant, review);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.reviews().list(kTenant, {id_of<ClaimId>(1)}, page),
                     [](const auto& row) { return row.authorization_id; });
     }},
    {"settlements",
     [](ports::Records& records, const Made& made) {
       auto stored = sample_settlement(made.number());
       stored.settlement.id = made.id<SettlementId>();
       stored.settlement.created_at = made.at();
       records.settlements().insert(kTenant, stored);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.settlements().list(kTenant, {}, page), [](const auto& row) { return row.id; });
     }},
    {"claims",
     [](ports::Records& records, const Made& made) {
       auto stored = sample_claim(made.number());
       stored.claim.id = stored.status.claim = made.id<ClaimId>();
       stored.created_at = made.at();
       records.claims().insert(kTenant, stored);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.claims().list(kTenant, {}, page), [](const auto& row) { return row.claim.id; });
     }},
    {"claims of a status",
     [](ports::Records& records, const Made& made) {
       auto stored = sample_claim(made.number());
       stored.claim.id = stored.status.claim = made.id<ClaimId>();
       stored.created_at = made.at();
       records.claims().insert(kTenant, stored);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.claims().list(kTenant, {"", ClaimStatus::reviewed}, page),
                     [](const auto& row) { return row.claim.id; });
     }},
    {"clients",
     [](ports::Records& records, const Made& made) {
       auto client = sample_client(made.number());
       client.id = made.id<ClientId>();
       client.created_at = made.at();
       records.clients().insert(client);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.clients().list(kTenant, page), [](const auto& row) { return row.id; });
     }},
    {"payouts",
     [](ports::Records& records, const Made& made) {
       auto attempt = sample_attempt(made.number(), 1);
       attempt.id = made.id<TransferId>();
       attempt.subject = domain::PaymentSubject::practice("1999999984");
       attempt.purpose = Purpose::payable;
       attempt.number = made.n;
       attempt.created_at = made.at();
       records.settlements().insert_attempt(kTenant, attempt);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.settlements().practice_payouts(kTenant, "", page), [](const auto& row) { return row.id; });
     }},
    {"deposits",
     [](ports::Records& records, const Made& made) {
       auto deposit = sample_deposit(made.number());
       deposit.id = made.id<DepositId>();
       deposit.created_at = made.at();
       records.deposits().insert(kTenant, deposit);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.deposits().list(kTenant, {}, page), [](const auto& row) { return row.id; });
     }},
    {"remittances",
     [](ports::Records& records, const Made& made) {
       auto remittance = sample_remittance(made.number());
       remittance.id = made.id<RemittanceId>();
       remittance.created_at = made.at();
       records.remittances().insert(kTenant, remittance);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.remittances().list(kTenant, {}, page), [](const auto& row) { return row.remittance.id; });
     }},
    {"tasks",
     [](ports::Records& records, const Made& made) {
       auto task = sample_task(made.number());
       task.id = made.id<TaskId>();
       task.opened_at = made.at();
       records.tasks().open(kTenant, task);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.tasks().list(kTenant, {}, page), [](const auto& row) { return row.id; });
     }},
    {"imports",
     [](ports::Records& records, const Made& made) {
       auto job = sample_job(made.number());
       job.id = made.id<ImportJobId>();
       job.submitted_at = made.at();
       records.imports().insert(kTenant, id_of<ClientId>(1), job);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.imports().list(kTenant, page), [](const auto& row) { return row.id; });
     }},
    {"webhook endpoints",
     [](ports::Records& records, const Made& made) {
       auto endpoint = sample_endpoint(made.number());
       endpoint.id = made.id<WebhookEndpointId>();
       endpoint.created_at = made.at();
       records.webhooks().insert(kTenant, endpoint);
     },
     [](const ports::Records& records, const ListPage& page) {
       return ids_of(records.webhooks().list(kTenant, page), [](const auto& row) { return row.id; });
     }},
};

const List& list_named(std::string_view name) {
  return *std::find_if(std::begin(kLists), std::end(kLists), [&](const List& list) { return list.name == name; });
}

/// Lists that do not share rows.
std::vector<const List*> lists_of_several_tables() {
  std::vector<const List*> lists;
  for (const auto* name : {"reviews", "settlements", "claims", "clients", "payouts", "deposits", "tasks"})
    lists.push_back(&list_named(name));
  return lists;
}

/// Inserts four objects, not in their order.
void insert_four(StoreUnderTest& store, const List& list) {
  store.write([&](ports::Records& records) {
    for (const int n : {2, 1, 4, 3}) list.insert(records, {n});
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
  using enum ListOrder;
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

BOOST_DATA_TEST_CASE(an_object_has_its_id_within_an_hour_of_its_creation, bdata::make(engines()), engine) {
  constexpr std::int64_t kAlmostAnHour = 3'599'000;
  StoreUnderTest store(engine);
  for (const auto* list : lists_of_several_tables()) {
    store.write([&](ports::Records& records) {
      list->insert(records, {1, kAlmostAnHour});
      list->insert(records, {2, -kAlmostAnHour});
    });
    BOOST_TEST_CONTEXT(list->name) {
      BOOST_TEST(numbers(store, *list, {"", 9, ListOrder::oldest_first, minute(1), minute(2)}) == "1");
      BOOST_TEST(numbers(store, *list, {"", 9, ListOrder::newest_first, minute(2), minute(3)}) == "2");
    }
  }
}

BOOST_DATA_TEST_CASE(a_moved_clock_loses_no_row_of_a_list, bdata::make(engines()), engine) {
  constexpr std::int64_t kDay = 86'400'000;
  StoreUnderTest store(engine);
  // Before the tenant has data its clock moves in both directions; later it only advances.
  const std::vector<std::int64_t> shifts{20 * kDay, -30 * kDay, -10 * kDay, 40 * kDay};
  for (std::size_t i = 0; i < shifts.size(); ++i)
    store.write([&](ports::Records& records) {
      records.clients().set_clock_shift(kTenant, shifts[i]);
      for (const auto* list : lists_of_several_tables()) list->insert(records, {static_cast<int>(i) + 1, shifts[i]});
    });
  for (const auto* list : lists_of_several_tables()) {
    const auto found = [&](int from, int before) {
      auto ids = numbers(store, *list, {"", 9, ListOrder::newest_first, minute(from), minute(before)});
      std::sort(ids.begin(), ids.end());
      return ids;
    };
    BOOST_TEST_CONTEXT(list->name) {
      BOOST_TEST(found(1, 5) == "1234");
      for (int n = 1; n <= 4; ++n) BOOST_TEST(found(n, n + 1) == std::to_string(n));
      BOOST_TEST(found(5, 9) == "");
    }
  }
}

BOOST_DATA_TEST_CASE(a_payout_that_was_adopted_later_is_listed_by_the_time_of_its_sending, bdata::make(engines()),
                     engine) {
  constexpr std::int64_t kDay = 86'400'000;
  StoreUnderTest store(engine);
  const auto& payouts = list_named("payouts");
  store.write([&](ports::Records& records) { payouts.insert(records, {1, -50 * kDay}); });
  BOOST_TEST(numbers(store, payouts, {"", 9, ListOrder::newest_first, minute(1), minute(2)}) == "1");
}

BOOST_DATA_TEST_CASE(a_claim_without_a_time_was_created_at_the_time_in_its_id, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto& claims = list_named("claims");
  store.write([&](ports::Records& records) {
    for (const int n : {1, 2, 3}) claims.insert(records, {n, 0});
  });
  store.run_past_the_store("UPDATE claims SET created_at = NULL");
  store.reopen();
  BOOST_TEST(numbers(store, claims, {"", 9, ListOrder::newest_first, minute(2), minute(3)}) == "2");
  const auto second =
      store.seen([](const ports::Records& records) { return records.claims().find(kTenant, "claim-2"); });
  BOOST_TEST((second->created_at == minute(2)));
}

BOOST_DATA_TEST_CASE(settlements_are_found_by_each_filter_and_by_all, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto with = [](int n, SettlementStatus status, FundingStatus funding, const char* payer, Decision decision) {
    auto stored = sample_settlement(static_cast<std::uint64_t>(n));
    stored.settlement.id = Made{n}.id<SettlementId>();
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
