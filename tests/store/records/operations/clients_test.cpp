// ClientRecords and TaskRecords.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

BOOST_AUTO_TEST_SUITE(store_clients)

BOOST_DATA_TEST_CASE(a_tenant_comes_back_whole_by_name_and_by_id, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto tenant = sample_tenant(kTenant);
  store.write([&](ports::Records& records) { records.clients().insert_tenant(tenant, kNow); });
  const auto by_id = [&](const TenantId& id) {
    return store.seen([&](const ports::Records& records) { return records.clients().tenant(id); });
  };
  const auto by_name = [&](std::string_view name) {
    return store.seen([&](const ports::Records& records) { return records.clients().find_tenant(name); });
  };
  BOOST_TEST(shown(by_id(kTenant)) == shown(tenant));
  BOOST_TEST(shown(by_name(tenant.name)) == shown(tenant));
  BOOST_TEST(!by_id(kOtherTenant));
  BOOST_TEST(!by_name("another"));
  auto same_name = sample_tenant(kOtherTenant);
  same_name.name = tenant.name;
  const auto second =
      store.try_to_write([&](ports::Records& records) { records.clients().insert_tenant(same_name, kNow); });
  BOOST_TEST(second.value() == ErrorCode::conflict);
}

BOOST_DATA_TEST_CASE(a_tenant_has_no_payout_account_or_the_last_one_that_was_set, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto account = [&](const TenantId& id) {
    return store.seen([&](const ports::Records& records) { return records.clients().payout_account(id); }).reveal();
  };
  BOOST_TEST(account(kTenant) == "");
  for (const char* token : {"tok_first", "tok_second"}) {
    store.write([&](ports::Records& records) {
      records.clients().set_payout_account(kTenant, domain::Sensitive<std::string>(token));
    });
    BOOST_TEST(account(kTenant) == token);
  }
  BOOST_TEST(account(kOtherTenant) == "");
}

BOOST_DATA_TEST_CASE(a_client_comes_back_whole_and_lists_in_id_order, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto with_all_scopes = sample_client(1);
  with_all_scopes.scopes = ScopeSet::from_bits(~std::uint64_t{0});
  with_all_scopes.environment = Environment::sandbox;
  store.write([&](ports::Records& records) {
    records.clients().insert(sample_client(2));
    records.clients().insert(with_all_scopes);
  });
  const auto find = [&](std::uint64_t n) {
    return store.seen([&](const ports::Records& records) { return records.clients().find(id_of<ClientId>(n)); });
  };
  BOOST_TEST(shown(find(2)) == shown(sample_client(2)));
  BOOST_TEST(shown(find(1)) == shown(with_all_scopes));
  BOOST_TEST(!find(3));
  BOOST_TEST(shown(store.seen([](const ports::Records& records) { return records.clients().list(); })) ==
             shown(std::vector{with_all_scopes, sample_client(2)}));
}

BOOST_DATA_TEST_CASE(the_clients_of_a_tenant_list_in_pages_and_change_as_a_whole, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto foreign = sample_client(4);
  foreign.tenant = kOtherTenant;
  store.write([&](ports::Records& records) {
    for (std::uint64_t n = 1; n <= 3; ++n) records.clients().insert(sample_client(n));
    records.clients().insert(foreign);
  });
  const auto page = [&](const std::string& after, std::size_t limit) {
    return store.seen([&](const ports::Records& records) { return records.clients().list(kTenant, {after, limit}); });
  };
  BOOST_TEST(shown(page("", 2)) == shown(std::vector{sample_client(1), sample_client(2)}));
  auto changed = sample_client(3);
  changed.name = "renamed";
  changed.scopes = ScopeSet::from_bits(4);
  changed.epoch += 1;
  changed.enabled = false;
  changed.locked = false;
  changed.expires_at.reset();
  const auto update = [&](const domain::Client& client) {
    return store.written([&](ports::Records& records) { return records.clients().update(client); });
  };
  BOOST_TEST(update(changed));
  changed.version += 1;
  BOOST_TEST(shown(page(sample_client(2).id.text(), 9)) == shown(std::vector{changed}));
}

BOOST_DATA_TEST_CASE(a_change_by_what_was_read_before_another_change_is_refused, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  store.write([&](ports::Records& records) { records.clients().insert(sample_client(1)); });
  const auto update = [&](const domain::Client& client) {
    return store.written([&](ports::Records& records) { return records.clients().update(client); });
  };
  auto renamed = sample_client(1), widened = sample_client(1);
  renamed.name = "renamed";
  widened.scopes = ScopeSet::all();  // leaves the epoch alone
  BOOST_TEST(update(renamed));
  BOOST_TEST(!update(widened));
  renamed.version += 1;
  const auto find = [&] {
    return store.seen([](const ports::Records& records) { return records.clients().find(id_of<ClientId>(1)); });
  };
  BOOST_TEST(shown(find()) == shown(std::optional(renamed)));
  store.write([](ports::Records& records) { records.clients().disable(id_of<ClientId>(1)); });
  BOOST_TEST(!update(renamed));
  BOOST_TEST(!find()->enabled);
}

BOOST_DATA_TEST_CASE(the_secrets_of_a_page_of_clients_come_together, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto foreign = sample_client(2);
  foreign.tenant = kOtherTenant;
  store.write([&](ports::Records& records) {
    for (const auto& client : {sample_client(1), foreign, sample_client(3), sample_client(4)}) {
      records.clients().insert(client);
      records.clients().insert_secret(client.id, sample_secret(static_cast<std::uint64_t>(client.id.text().back())));
    }
    records.clients().insert_secret(id_of<ClientId>(1), sample_secret(9));
  });
  const auto found = store.seen([](const ports::Records& records) {
    return records.clients().secrets(kTenant, id_of<ClientId>(1), id_of<ClientId>(3));
  });
  BOOST_REQUIRE(found.size() == 2u);
  BOOST_TEST(shown(found.at(id_of<ClientId>(1).text())) == shown(std::vector{sample_secret(9), sample_secret('1')}));
  BOOST_TEST(shown(found.at(id_of<ClientId>(3).text())) == shown(std::vector{sample_secret('3')}));
}

BOOST_DATA_TEST_CASE(the_secrets_of_a_client_come_back_whole_and_by_number, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto client = id_of<ClientId>(1), other = id_of<ClientId>(2);
  auto fresh = sample_secret(3);
  fresh.expires_at = fresh.last_used_at = fresh.revoked_at = std::nullopt;
  store.write([&](ports::Records& records) {
    records.clients().insert_secret(client, fresh);
    records.clients().insert_secret(client, sample_secret(1));
    records.clients().insert_secret(other, sample_secret(2));
  });
  const auto secrets = [&](const ClientId& of) {
    return store.seen([&](const ports::Records& records) { return records.clients().secrets(of); });
  };
  BOOST_TEST(shown(secrets(client)) == shown(std::vector{sample_secret(1), fresh}));
  auto same_number = sample_secret(3);
  same_number.id = id_of<domain::ClientSecretId>(9);
  BOOST_TEST((store.try_to_write([&](ports::Records& records) {
    records.clients().insert_secret(client, same_number);
  }) == ErrorCode::conflict));
  fresh.key_id = "key-8";
  fresh.digest = std::string(32, 'd');
  fresh.expires_at = sample_secret(1).revoked_at->plus_ms(60'000);
  auto not_ended = sample_secret(2);
  not_ended.expires_at = not_ended.revoked_at = std::nullopt;
  store.write([&](ports::Records& records) { records.clients().update_secret(other, not_ended); });
  BOOST_TEST(shown(secrets(other)) == shown(std::vector{sample_secret(2)}));
  store.write([&](ports::Records& records) {
    records.clients().update_secret(client, fresh);
    records.clients().secret_used(client, 3, domain::Timestamp::from_ms(60));
    records.clients().remove_ended_secrets(client, sample_secret(1).revoked_at->plus_ms(1));
  });
  fresh.last_used_at = domain::Timestamp::from_ms(60);
  BOOST_TEST(shown(secrets(client)) == shown(std::vector{fresh}));
  BOOST_TEST(secrets(other).size() == 1u);
}

BOOST_DATA_TEST_CASE(disabling_a_client_locks_it_and_raises_its_epoch, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto client = sample_client(1);
  client.locked = false;
  store.write([&](ports::Records& records) {
    records.clients().insert(client);
    records.clients().insert(sample_client(2));
  });
  const auto disable = [&](std::uint64_t n) {
    return store.written([&](ports::Records& records) { return records.clients().disable(id_of<ClientId>(n)); });
  };
  BOOST_TEST(disable(1));
  BOOST_TEST(!disable(3));
  auto disabled = sample_client(1);
  disabled.enabled = false;
  disabled.epoch += 1;
  disabled.version += 1;
  BOOST_TEST(shown(store.seen([](const ports::Records& records) { return records.clients().list(); })) ==
             shown(std::vector{disabled, sample_client(2)}));
}

BOOST_DATA_TEST_CASE(matching_for_a_tenant_that_does_not_exist_is_refused, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto guard = [&] {
    return store.try_to_write([&](ports::Records& records) { records.clients().guard_matching(kTenant); });
  };
  BOOST_TEST(guard().value() == ErrorCode::internal_error);
  store.write([&](ports::Records& records) { records.clients().insert_tenant(sample_tenant(kTenant), kNow); });
  BOOST_TEST(!guard());
  BOOST_TEST(!guard());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(store_tasks)

BOOST_DATA_TEST_CASE(open_tasks_come_back_whole_oldest_first_and_by_kind, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto other_kind = sample_task(3);
  other_kind.kind = "deposit_unmatched";
  store.write([&](ports::Records& records) {
    records.tasks().open(kTenant, sample_task(2));
    records.tasks().open(kTenant, sample_task(1));
    records.tasks().open(kTenant, other_kind);
    records.tasks().open(kOtherTenant, sample_task(4));
  });
  const auto open = [&](std::string_view kind, std::size_t limit) {
    return store.seen([&](const ports::Records& records) {
      return records.tasks().list(kTenant, {domain::TaskStatus::open, kind, ""}, {"", limit});
    });
  };
  BOOST_TEST(shown(open("", 9)) == shown(std::vector{sample_task(1), sample_task(2), other_kind}));
  BOOST_TEST(shown(open("manual_review", 9)) == shown(std::vector{sample_task(1), sample_task(2)}));
  BOOST_TEST(shown(open("", 1)) == shown(std::vector{sample_task(1)}));
  BOOST_TEST(open("trace_reused", 9).empty());
  const auto behind = store.seen([&](const ports::Records& records) {
    return records.tasks().list(kTenant, {}, {sample_task(1).id.text(), 9});
  });
  BOOST_TEST(shown(behind) == shown(std::vector{sample_task(2), other_kind}));
  const auto about = store.seen([&](const ports::Records& records) {
    return records.tasks().list(kTenant, {std::nullopt, "", sample_task(2).object_id}, {"", 9});
  });
  BOOST_TEST(shown(about) == shown(std::vector{sample_task(2)}));
}

BOOST_DATA_TEST_CASE(a_task_keeps_each_client_s_last_vote_and_closes_once, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto task = sample_task(1);
  const domain::TaskVote first{id_of<ClientId>(1), "paid", "bank says so", domain::Timestamp::from_ms(30)},
      other{id_of<ClientId>(2), "not_paid", "", domain::Timestamp::from_ms(31)};
  const domain::TaskVote last{id_of<ClientId>(1), "not_paid", "bank was wrong", domain::Timestamp::from_ms(32)};
  std::vector<bool> taken;
  store.write([&](ports::Records& records) {
    records.tasks().open(kTenant, task);
    taken = {records.tasks().vote(kTenant, task.id, first),
             records.tasks().vote(kTenant, task.id, other),
             records.tasks().vote(kTenant, task.id, last),
             records.tasks().vote(kOtherTenant, task.id, first),
             records.tasks().close(kTenant, task.id, "not_paid", domain::Timestamp::from_ms(33)),
             records.tasks().close(kTenant, task.id, "paid", domain::Timestamp::from_ms(34)),
             records.tasks().vote(kTenant, task.id, first)};
  });
  BOOST_TEST((taken == std::vector<bool>{true, true, true, false, true, false, false}));
  task.votes = {other, last};
  task.status = domain::TaskStatus::closed;
  task.decision = "not_paid";
  task.closed_at = domain::Timestamp::from_ms(33);
  const auto found = store.seen([&](const ports::Records& records) { return records.tasks().find(kTenant, task.id); });
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(shown(*found) == shown(task));
  const auto open = store.seen([&](const ports::Records& records) {
    return records.tasks().list(kTenant, {domain::TaskStatus::open, "", ""}, {"", 9});
  });
  BOOST_TEST(open.empty());
}

BOOST_DATA_TEST_CASE(a_finding_has_one_task_however_often_it_is_reported, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto first = sample_task(1), second = sample_task(2), without = sample_task(3);
  first.finding = second.finding = "paid_twice RTP key";
  store.write([&](ports::Records& records) {
    records.tasks().open(kTenant, first);
    records.tasks().open(kTenant, without);
    records.tasks().open(kTenant, sample_task(4));  // a task that is no finding may be opened again
  });
  BOOST_TEST((store.try_to_write([&](ports::Records& records) { records.tasks().open(kTenant, second); }) ==
              ErrorCode::conflict));
  const auto is_reported = [&](const TenantId& tenant, const char* finding) {
    return store.seen([&](const ports::Records& records) { return records.tasks().is_reported(tenant, finding); });
  };
  BOOST_TEST(is_reported(kTenant, "paid_twice RTP key"));
  BOOST_TEST(!is_reported(kTenant, "paid_twice RTP other"));
  BOOST_TEST(!is_reported(kOtherTenant, "paid_twice RTP key"));
}

BOOST_AUTO_TEST_SUITE_END()
