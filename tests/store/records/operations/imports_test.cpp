// ImportRecords: jobs, pieces, leases and faults.
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

const ClientId kClient = id_of<ClientId>(5);
const Timestamp kLeaseEnd = kNow.plus_ms(1'000);

std::optional<ImportJob> job_in(StoreUnderTest& store, std::uint64_t n) {
  return store.seen(
      [&](const ports::Records& records) { return records.imports().find(kTenant, id_of<ImportJobId>(n)); });
}

std::optional<ports::ImportClaim> next_open(StoreUnderTest& store, Timestamp now) {
  return store.seen([&](const ports::Records& records) { return records.imports().next_open(now); });
}

bool take(StoreUnderTest& store, std::uint64_t n, int epoch, Timestamp now) {
  return store.written([&](ports::Records& records) {
    return records.imports().take(id_of<ImportJobId>(n), epoch, now, now.plus_ms(1'000), now.plus_ms(5));
  });
}

void insert(StoreUnderTest& store, std::initializer_list<std::uint64_t> jobs) {
  store.write([&](ports::Records& records) {
    for (const auto n : jobs) records.imports().insert(kTenant, kClient, sample_job(n));
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_imports)

BOOST_DATA_TEST_CASE(a_job_comes_back_whole_with_its_faults_in_order, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  ImportJob bare;
  bare.id = id_of<ImportJobId>(2);
  store.write([&](ports::Records& records) {
    records.imports().insert(kTenant, kClient, sample_job(1));
    records.imports().insert(kTenant, kClient, bare);
    for (const auto row : {9, 2, 5}) records.imports().add_fault(kTenant, id_of<ImportJobId>(1), sample_fault(row));
  });
  auto expected = sample_job(1);
  expected.errors = {sample_fault(2), sample_fault(5), sample_fault(9)};
  BOOST_TEST(shown(job_in(store, 1)) == shown(expected));
  BOOST_TEST(shown(job_in(store, 2)) == shown(bare));
  BOOST_TEST(!job_in(store, 3));
}

BOOST_DATA_TEST_CASE(a_list_of_too_many_faults_is_cut_and_says_so, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto job = sample_job(1);
  job.errors_truncated = false;
  store.write([&](ports::Records& records) {
    records.imports().insert(kTenant, kClient, job);
    for (std::size_t row = 1; row <= kMaxListedImportErrors; ++row) {
      records.imports().add_fault(kTenant, job.id, sample_fault(static_cast<std::int64_t>(row)));
    }
  });
  BOOST_TEST(job_in(store, 1)->errors.size() == kMaxListedImportErrors);
  BOOST_TEST(!job_in(store, 1)->errors_truncated);
  store.write([&](ports::Records& records) { records.imports().add_fault(kTenant, job.id, sample_fault(5'000)); });
  BOOST_TEST(job_in(store, 1)->errors.size() == kMaxListedImportErrors);
  BOOST_TEST(job_in(store, 1)->errors_truncated);
  store.write([&](ports::Records& records) { records.imports().add_fault(kTenant, job.id, sample_fault(0)); });
  BOOST_TEST(job_in(store, 1)->errors.size() == kMaxListedImportErrors);
  BOOST_TEST(job_in(store, 1)->errors.front().row == 0);
}

BOOST_DATA_TEST_CASE(rows_and_faults_come_page_by_page_in_the_order_of_the_file, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const ImportedRow kept{3, 4, RowOutcome::accepted, id_of<ClaimId>(1), id_of<AuthorizationId>(2)};
  const ImportedRow tried{5, 6, RowOutcome::duplicate, std::nullopt, std::nullopt};
  store.write([&](ports::Records& records) {
    records.imports().insert(kTenant, kClient, sample_job(1));
    for (const auto& row : {tried, kept}) records.imports().add_row(kTenant, id_of<ImportJobId>(1), row);
    for (const auto row : {7, 0, 4}) records.imports().add_fault(kTenant, id_of<ImportJobId>(1), sample_fault(row));
  });
  const auto rows_behind = [&](const TenantId& tenant, std::int64_t after, std::size_t limit) {
    std::string text;
    for (const auto& row : store.seen([&](const ports::Records& records) {
           return records.imports().rows(tenant, id_of<ImportJobId>(1), after, limit);
         }))
      text += shown(row) + '\n';
    return text;
  };
  BOOST_TEST(rows_behind(kTenant, 0, 9) == shown(kept) + '\n' + shown(tried) + '\n');
  BOOST_TEST(rows_behind(kTenant, 3, 9) == shown(tried) + '\n');
  BOOST_TEST(rows_behind(kTenant, 0, 1) == shown(kept) + '\n');
  BOOST_TEST(rows_behind(id_of<TenantId>(9), 0, 9) == "");
  const auto faults_behind = [&](std::int64_t after) {
    std::vector<std::int64_t> rows;
    for (const auto& fault : store.seen([&](const ports::Records& records) {
           return records.imports().faults(kTenant, id_of<ImportJobId>(1), after, 2);
         }))
      rows.push_back(fault.row);
    return rows;
  };
  BOOST_TEST(faults_behind(-1) == (std::vector<std::int64_t>{0, 4}), boost::test_tools::per_element());
  BOOST_TEST(faults_behind(4) == (std::vector<std::int64_t>{7}), boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(a_canceled_job_has_failed_and_its_worker_is_fenced_out, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  insert(store, {1});
  BOOST_REQUIRE(take(store, 1, 0, kNow));
  auto progress = *next_open(store, kLeaseEnd);
  const auto cancel = [&](const TenantId& tenant) {
    return store.written([&](ports::Records& records) {
      return records.imports().cancel(tenant, id_of<ImportJobId>(1), kNow.plus_ms(50));
    });
  };
  BOOST_TEST(!cancel(id_of<TenantId>(9)));
  BOOST_TEST(cancel(kTenant));
  BOOST_TEST(!cancel(kTenant));
  BOOST_TEST(shown(job_in(store, 1)->status) == shown(ImportStatus::failed));
  BOOST_TEST(shown(job_in(store, 1)->canceled_at) == shown(kNow.plus_ms(50)));
  BOOST_TEST(!store.written([&](ports::Records& records) { return records.imports().update(progress, kNow); }));
  BOOST_TEST(!next_open(store, kLeaseEnd));
}

BOOST_DATA_TEST_CASE(no_node_takes_the_job_of_a_file_that_lies_elsewhere, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto job = sample_job(1);
  job.file_digest = std::string(64, 'd');
  store.write([&](ports::Records& records) { records.imports().insert(kTenant, kClient, job); });
  BOOST_TEST(!next_open(store, kNow));
  const auto find_file = [&](const TenantId& tenant, char digest) {
    return store.seen(
        [&](const ports::Records& records) { return records.imports().find_file(tenant, std::string(64, digest)); });
  };
  BOOST_TEST(shown(find_file(kTenant, 'd')) == shown(ports::ImportClaim{kTenant, kClient, job, 0, 0}));
  BOOST_TEST(!find_file(kTenant, 'e'));
  BOOST_TEST(!find_file(id_of<TenantId>(9), 'd'));
  auto claim = *find_file(kTenant, 'd');
  claim.job.status = ImportStatus::succeeded;
  store.write([&](ports::Records& records) { records.imports().update(claim, kNow); });
  BOOST_TEST(find_file(kTenant, 'd').has_value());
  claim.job.status = ImportStatus::failed;
  store.write([&](ports::Records& records) { records.imports().update(claim, kNow); });
  BOOST_TEST(!find_file(kTenant, 'd'));
}

BOOST_DATA_TEST_CASE(a_job_is_found_by_the_key_of_its_client, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  insert(store, {1, 2});
  const auto found = [&](const TenantId& tenant, const char* key) {
    return store.seen([&](const ports::Records& records) { return records.imports().find_external(tenant, key); });
  };
  BOOST_REQUIRE(found(kTenant, "file-2"));
  BOOST_TEST(shown(found(kTenant, "file-2")->id) == shown(id_of<ImportJobId>(2)));
  BOOST_TEST(!found(kTenant, ""));
  BOOST_TEST(!found(id_of<TenantId>(9), "file-2"));
}

BOOST_DATA_TEST_CASE(jobs_are_listed_in_the_order_of_their_ids, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  insert(store, {3, 1, 2});
  const auto listed = [&](const TenantId& tenant, std::string_view after, std::size_t limit) {
    std::string text;
    for (const auto& job : store.seen([&](const ports::Records& records) {
           return records.imports().list(tenant, {after, limit});
         }))
      text += shown(job.id) + ' ';
    return text;
  };
  const auto name = [](std::uint64_t n) { return shown(id_of<ImportJobId>(n)) + ' '; };
  BOOST_TEST(listed(kTenant, "", 2) == name(1) + name(2));
  BOOST_TEST(listed(kTenant, id_of<ImportJobId>(2).text(), 2) == name(3));
  BOOST_TEST(listed(id_of<TenantId>(9), "", 2) == "");
}

BOOST_DATA_TEST_CASE(pieces_keep_any_bytes_and_go_when_they_are_done_with, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  const std::string large(1 << 20, '\xfe');
  const auto piece = [&](std::uint64_t job, int number) {
    return store.seen([&](const ports::Records& records) {
      return records.imports().piece(kTenant, id_of<ImportJobId>(job), number);
    });
  };
  store.write([&](ports::Records& records) {
    records.imports().insert_piece(kTenant, id_of<ImportJobId>(1), 0, every_byte);
    records.imports().insert_piece(kTenant, id_of<ImportJobId>(1), 1, large);
    records.imports().insert_piece(kTenant, id_of<ImportJobId>(1), 2, "");
    records.imports().insert_piece(kTenant, id_of<ImportJobId>(2), 0, "other");
  });
  BOOST_TEST((piece(1, 0) == every_byte));
  BOOST_TEST((piece(1, 1) == large));
  BOOST_TEST((piece(1, 2) == ""));
  BOOST_TEST(!piece(1, 3));
  store.write([&](ports::Records& records) { records.imports().remove_pieces(id_of<ImportJobId>(1)); });
  BOOST_TEST(!piece(1, 0));
  BOOST_TEST((piece(2, 0) == "other"));
}

BOOST_DATA_TEST_CASE(the_next_open_job_is_the_oldest_one_without_a_worker, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  BOOST_TEST(!next_open(store, kNow));
  insert(store, {2, 1});
  const ports::ImportClaim first{kTenant, kClient, sample_job(1), 0, 0};
  BOOST_TEST(shown(next_open(store, kNow)) == shown(first));
  BOOST_REQUIRE(take(store, 1, 0, kNow));
  BOOST_TEST(shown(next_open(store, kNow)->job.id) == shown(id_of<ImportJobId>(2)));
  BOOST_REQUIRE(take(store, 2, 0, kNow));
  BOOST_TEST(!next_open(store, kLeaseEnd.plus_ms(-1)));
  BOOST_TEST(next_open(store, kLeaseEnd)->epoch == 1);
  BOOST_TEST(shown(next_open(store, kLeaseEnd)->job.id) == shown(id_of<ImportJobId>(1)));
}

BOOST_DATA_TEST_CASE(a_job_is_taken_by_the_first_worker, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  auto queued = sample_job(1);
  queued.started_at = std::nullopt;
  store.write([&](ports::Records& records) { records.imports().insert(kTenant, kClient, queued); });
  BOOST_TEST(!take(store, 1, 1, kNow));
  BOOST_TEST(take(store, 1, 0, kNow));
  BOOST_TEST(!take(store, 1, 0, kNow));
  BOOST_TEST(!take(store, 1, 1, kLeaseEnd.plus_ms(-1)));
  BOOST_TEST(shown(job_in(store, 1)->status) == shown(ImportStatus::running));
  BOOST_TEST(shown(job_in(store, 1)->started_at) == shown(kNow.plus_ms(5)));

  BOOST_TEST(take(store, 1, 1, kLeaseEnd));
  BOOST_TEST(shown(job_in(store, 1)->started_at) == shown(kNow.plus_ms(5)));
  BOOST_TEST(!take(store, 9, 0, kNow));
}

BOOST_DATA_TEST_CASE(an_update_writes_the_progress_of_the_epoch_that_holds, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  insert(store, {1});
  BOOST_REQUIRE(take(store, 1, 0, kNow));
  auto progress = *next_open(store, kLeaseEnd);
  progress.rows_done = 70;
  progress.job.total_rows = 71;
  progress.job.accepted_rows = 72;
  progress.job.rejected_rows = 73;
  progress.job.duplicate_rows = 74;
  progress.job.errors_truncated = false;
  progress.job.started_at = kNow.plus_ms(75);
  progress.job.finished_at = std::nullopt;
  const auto update = [&](const ports::ImportClaim& claim, Timestamp lease_end) {
    return store.written([&](ports::Records& records) { return records.imports().update(claim, lease_end); });
  };
  BOOST_TEST(update(progress, kNow));
  BOOST_TEST(shown(next_open(store, kNow)) == shown(progress));

  auto fenced = progress;
  fenced.epoch = 0;
  fenced.rows_done = 1;
  BOOST_TEST(!update(fenced, kNow));
  BOOST_TEST(next_open(store, kNow)->rows_done == 70);

  progress.job.status = ImportStatus::succeeded;
  BOOST_TEST(update(progress, kNow));
  BOOST_TEST(!next_open(store, kLeaseEnd));
  BOOST_TEST(!take(store, 1, 1, kLeaseEnd));
}

BOOST_AUTO_TEST_SUITE_END()
