// R35, first half: an encrypted value opens in its own cell and nowhere else, by the real cipher and in real tables.
#include <random>
#include <set>

#include "core/crypto/ring_cipher.hpp"
#include "core/store/encryption/encrypted_tables.hpp"
#include "core/store/sql_store.hpp"
#include "tests/crypto/temp_folder.hpp"
#include "tests/fault/figure.hpp"
#include "tests/store/records/support/samples.hpp"
#include "tests/store/sql/test_database.hpp"

namespace tideover::test {
namespace {

namespace bdata = boost::unit_test::data;

class NoEvents final : public ports::EventEncoder {
 public:
  std::string encode_data(const domain::EventData&) const override { return "{\"event\":1}"; }
};

struct Ring {
  explicit Ring(const std::string& lines)
      : keys(std::get<crypto::KeyRing>(crypto::KeyRing::open(folder.write("keys", kLasting + lines)))), cipher(keys) {}
  void become(const std::string& lines) {
    folder.write("keys", kLasting + lines);
    BOOST_REQUIRE(std::get<bool>(keys.reload()));
  }
  static inline const std::string kLasting = "lasting:" + std::string(64, 'f') + "\n";
  testing::TempFolder folder;
  crypto::KeyRing keys;
  crypto::RingCipher cipher;
};

const std::string kOld = "old:" + std::string(64, '1') + "\n";
const std::string kMiddle = "middle:" + std::string(64, '2') + "\n";
const std::string kNew = "new:" + std::string(64, '3') + "\n";

BOOST_AUTO_TEST_SUITE(swaps)

BOOST_AUTO_TEST_CASE(no_value_decrypts_in_another_row_column_table_tenant_or_under_another_key) {
  const std::size_t promised = cases(10'000, 100'000);
  const Ring ring(kOld + kMiddle + kNew);
  struct Placed {
    std::string tenant, row, key_id;
    std::string_view table, column;
    std::string bytes;
    ports::Cell cell() const { return {tenant, table, column, row}; }
  };
  std::vector<Placed> all;
  for (const auto& table : store::encrypted_tables())
    for (const auto column : table.cells)
      for (const char* tenant : {"ten_a", "ten_b", "ten_c"})
        for (const char* row : {"1", "2", "1/2", "12"})
          for (const char* key : {"old", "middle", "new"}) {
            Placed placed{tenant, row, key, table.name, column, ""};
            placed.bytes = ring.cipher.seal_under(key, placed.cell(), "the same text");
            all.push_back(std::move(placed));
          }
  for (const auto& placed : all)
    BOOST_REQUIRE(std::holds_alternative<std::string>(ring.cipher.open(placed.cell(), placed.bytes)));

  std::mt19937 random(20261120);
  std::uniform_int_distribution<std::size_t> any(0, all.size() - 1);
  std::size_t swapped = 0, opened = 0;
  while (swapped < promised) {
    const auto& from = all[any(random)];
    const auto& to = all[any(random)];
    const bool same_cell =
        from.tenant == to.tenant && from.row == to.row && from.table == to.table && from.column == to.column;
    if (same_cell && from.key_id == to.key_id) continue;
    auto bytes = from.bytes;
    if (same_cell) bytes.replace(0, ports::seal_head(from.key_id).size(), ports::seal_head(to.key_id));  // relabelled
    opened += std::holds_alternative<std::string>(ring.cipher.open(to.cell(), bytes));
    ++swapped;
  }
  BOOST_TEST(opened == 0u);
  survived("R35", swapped, promised,
           "cipher texts moved across rows, columns, tables, tenants and keys: " + std::to_string(opened) + " opened");
}

BOOST_AUTO_TEST_CASE(no_value_decrypts_under_a_retired_key) {
  const std::size_t promised = cases(1000, 10'000);
  Ring ring(kOld + kNew);
  std::vector<std::string> sealed;
  const auto cell = [](const std::string& row) { return ports::Cell{"ten_a", "claims", "chart_identifier", row}; };
  for (std::size_t i = 0; i < promised; ++i)
    sealed.push_back(ring.cipher.seal_under("old", cell(std::to_string(i)), "text"));
  BOOST_TEST(std::holds_alternative<std::string>(ring.cipher.open(cell("0"), sealed[0])));
  ring.become(kNew);
  std::size_t opened = 0, named = 0;
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    const auto result = ring.cipher.open(cell(std::to_string(i)), sealed[i]);
    opened += std::holds_alternative<std::string>(result);
    named += std::holds_alternative<ports::SealFault>(result) &&
             std::get<ports::SealFault>(result) == ports::SealFault::unknown_key;
  }
  BOOST_TEST(opened == 0u);
  BOOST_TEST(named == sealed.size());
  survived("R35", sealed.size(), promised, "values of a retired key: " + std::to_string(opened) + " opened");
}

/// One encrypted cell of the database and where it is.
struct Stored {
  const store::EncryptedTable* table;
  std::size_t column;
  std::vector<std::string> key;
  std::string bytes;
};

std::string where_key(const store::EncryptedTable& table) {
  std::string text = " WHERE ";
  for (const auto& column : table.key)
    text.append(&column == table.key.data() ? "" : " AND ").append(column.name).append(" = ?");
  return text;
}

std::vector<Stored> stored_cells(sql::Session& session) {
  std::vector<Stored> found;
  for (const auto& table : store::encrypted_tables()) {
    std::string text = "SELECT ";
    for (const auto& column : table.key) text.append(column.name).append(", ");
    for (const auto cell : table.cells) text.append(cell).append(cell == table.cells.back() ? "" : ", ");
    for (const sql::Row& row : session.query_bound(sql::Sql::composed(text.append(" FROM ").append(table.name)), {})) {
      std::vector<std::string> key;
      for (const auto& column : table.key) {
        const int at = static_cast<int>(key.size());
        key.push_back(column.type == store::EncryptedTable::Type::number ? std::to_string(row.integer(at))
                                                                         : row.text(at));
      }
      for (std::size_t i = 0; i < table.cells.size(); ++i) {
        const auto bytes = row.blob(static_cast<int>(key.size() + i));
        if (!bytes.empty()) found.push_back({&table, i, key, {bytes.begin(), bytes.end()}});
      }
    }
  }
  return found;
}

void put(sql::Session& session, const Stored& where, const std::string& bytes) {
  std::vector<sql::Parameter> parameters{
      sql::BlobView(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size())};
  for (std::size_t i = 0; i < where.key.size(); ++i) {
    if (where.table->key[i].type == store::EncryptedTable::Type::number) {
      parameters.emplace_back(static_cast<std::int64_t>(std::stoll(where.key[i])));
    } else {
      parameters.emplace_back(where.key[i]);
    }
  }
  const std::string text = "UPDATE " + std::string(where.table->name) + " SET " +
                           std::string(where.table->cells[where.column]) + " = ?" + where_key(*where.table);
  BOOST_REQUIRE(session.run_bound(sql::Sql::composed(text), parameters) == 1);
}

void fill(ports::Records& records, const domain::TenantId& tenant, std::uint64_t offset) {
  using namespace tests;
  for (std::uint64_t n = 1; n <= 4; ++n) {
    const auto claim = sample_claim(n);
    records.claims().insert(tenant, claim);
    BOOST_REQUIRE(records.claims().replace(tenant, claim, claim.claim, kNow));
    records.clients().set_payout_account(tenant, domain::Sensitive("tok_" + std::to_string(n)));
    auto next = claim.status;
    ++next.version;
    BOOST_REQUIRE(records.claims().move(tenant, next));
    records.reviews().insert(tenant, sample_review(n));
    records.settlements().insert(tenant, sample_settlement(n));
    records.deposits().insert(tenant, sample_deposit(n));
    records.remittances().insert(tenant, sample_remittance(n));
    records.webhooks().insert(tenant, sample_endpoint(n));
    records.answers().insert(tenant, "scope " + std::to_string(n), sample_answer(), kNow);
    // Of these the key names no tenant.
    auto job = sample_job(offset + n);
    records.imports().insert(tenant, id_of<domain::ClientId>(1), job);
    records.imports().insert_piece(tenant, job.id, 0, "piece of a file");
    records.imports().add_fault(tenant, job.id, sample_fault(1));
    records.events().append(tenant, sample_event(offset + n));
    if (n > 2) continue;
    for (const auto& row : records.events().unpublished(100))
      if (row.tenant == tenant) records.events().publish({published(row, static_cast<std::int64_t>(n))});
  }
}

/// Encrypts every row with the current key.
void walk(store::SqlStore& store) {
  for (bool more = true; more;)
    BOOST_REQUIRE(store.write_keys([&](store::KeyStore& keys) { more = keys.reseal_page().more; }));
}

/// The rows that are encrypted with this key.
std::int64_t counted(store::SqlStore& store, std::string_view key) {
  std::int64_t rows = 0;
  BOOST_REQUIRE(store.read_keys([&](const store::KeyStore& keys) {
    rows = 0;
    for (const auto& count : keys.count()) rows += count.key_id == key ? count.rows : 0;
  }));
  return rows;
}

/// Gives each cell the bytes of another one. Returns the number of cells.
std::size_t shuffle_cells(const sql::DatabaseOptions& database) {
  const auto raw = sql::Database::open(database);
  const auto session = raw->writer();
  session->begin();
  const auto all = stored_cells(*session);
  std::set<std::string> columns;
  for (const auto& cell : all)
    columns.insert(std::string(cell.table->name) + '.' + std::string(cell.table->cells[cell.column]));
  BOOST_TEST(columns.size() == 26u);
  // A turn by a number that is prime to the rows of every table: each cell gets another one's bytes.
  for (std::size_t i = 0; i < all.size(); ++i) put(*session, all[i], all[(i + 7) % all.size()].bytes);
  session->commit();
  return all.size();
}

BOOST_DATA_TEST_CASE(a_database_with_shuffled_cells_decrypts_none_and_a_sound_one_is_encrypted_again,
                     bdata::make(tests::engines()), engine) {
  using namespace tests;
  testing::TempFolder folder;
  NoEvents encoder;
  Ring ring(kOld);
  std::size_t failures = 0;
  store::StoreOptions options;
  options.on_failure = [&](std::string_view) { ++failures; };
  sql::DatabaseOptions database;
  if (engine == sql::Dialect::sqlite) {
    options.sqlite_path = folder.path() / "data" / "tideover.db";
    database.engine = sql::SqliteOptions{options.sqlite_path};
  } else {
    options.driver = store::StoreOptions::Driver::mysql;
    options.mysql = mariadb().create_database("encryption");
    database.engine = options.mysql;
  }
  const auto open = [&] {
    auto opened = store::SqlStore::open(options, encoder, ring.cipher);
    BOOST_REQUIRE_MESSAGE(opened, (opened ? "" : opened.error().message));
    return std::move(*opened);
  };

  auto store = open();
  BOOST_REQUIRE(store->commit([&](ports::Records& records) -> domain::Status {
    fill(records, kTenant, 0);
    fill(records, kOtherTenant, 100);
    return {};
  }));
  const auto rows = counted(*store, "old");
  ring.become(kOld + kNew);
  BOOST_REQUIRE(store->write_keys([&](store::KeyStore& keys) { keys.keep(kNow); }));
  walk(*store);
  BOOST_TEST(counted(*store, "old") == 0);
  BOOST_TEST(counted(*store, "new") == rows);
  BOOST_TEST(store->seal_faults().damaged == 0u);
  BOOST_TEST(store
                 ->read([&](const ports::Records& records) {
                   BOOST_TEST(records.claims().find(kTenant, "claim-1")->claim.draft.chart_identifier.reveal() ==
                              "chart-1");
                   BOOST_TEST(records.answers().find(kOtherTenant, "scope 2")->body == sample_answer().body);
                 })
                 .
                 operator bool());
  store.reset();

  const std::size_t cells = shuffle_cells(database);
  store = open();
  ring.become(kOld + kNew + kMiddle);
  BOOST_REQUIRE(store->write_keys([&](store::KeyStore& keys) { keys.keep(kNow); }));
  failures = 0;
  walk(*store);
  BOOST_TEST(store->seal_faults().damaged == cells);
  BOOST_TEST(failures == cells);
  BOOST_TEST(counted(*store, "middle") == 0);
  const auto read =
      store->read([&](const ports::Records& records) { (void)records.claims().find(kTenant, "claim-1"); });
  BOOST_REQUIRE(!read);
  BOOST_TEST((read.error().code == domain::ErrorCode::internal_error));
  survived("R35", cells, 100, "cells of a database shuffled: none opened, each named");
}

BOOST_AUTO_TEST_CASE(a_key_wears_by_use_and_by_time) {
  testing::TempFolder folder;
  NoEvents encoder;
  store::StoreOptions options;
  options.sqlite_path = folder.path() / "data" / "tideover.db";
  const Ring ring(kOld);
  const auto opened = store::SqlStore::open(options, encoder, ring.cipher);
  BOOST_REQUIRE(opened);
  const auto& store = *opened;
  const auto record = [&] {
    std::vector<store::KeyRecord> records;
    BOOST_REQUIRE(store->read_keys([&](const store::KeyStore& known) { records = known.records(); }));
    BOOST_REQUIRE(records.size() == 1u);
    return records.front();
  };
  const auto keep = [&](domain::Timestamp now, std::uint64_t seals) {
    BOOST_REQUIRE(store->write_keys([&](store::KeyStore& known) { known.keep(now, {{"old", seals}}); }));
  };
  keep(tests::kNow, 5);
  keep(tests::kNow.plus_ms(60'000), 7);
  BOOST_TEST(record().seals == 12);
  BOOST_TEST((record().first_current_at == tests::kNow));
  BOOST_TEST((record().last_current_at == tests::kNow.plus_ms(60'000)));
  BOOST_TEST(!store::is_worn(record(), tests::kNow.plus_ms(store::kLongestUseMs - 1)));
  BOOST_TEST(store::is_worn(record(), tests::kNow.plus_ms(store::kLongestUseMs)));
  keep(tests::kNow, static_cast<std::uint64_t>(store::kMostSeals) - 13);
  BOOST_TEST(!store::is_worn(record(), tests::kNow));
  keep(tests::kNow, 1);
  BOOST_TEST(store::is_worn(record(), tests::kNow));
}

BOOST_AUTO_TEST_CASE(a_database_refuses_a_ring_that_is_not_its_own) {
  testing::TempFolder folder;
  NoEvents encoder;
  store::StoreOptions options;
  options.sqlite_path = folder.path() / "data" / "tideover.db";
  const auto opened_with = [&](const std::string& lines) -> std::string {
    const auto path = folder.write("ring", lines);
    const auto keys = std::get<crypto::KeyRing>(crypto::KeyRing::open(path));
    const crypto::RingCipher cipher(keys);
    const auto opened = store::SqlStore::open(options, encoder, cipher);
    return opened ? "opened" : opened.error().message;
  };
  const std::string another_lasting = "lasting:" + std::string(64, 'e') + "\n";
  const std::string other_old = "old:" + std::string(64, '9') + "\n";
  const std::string remedy = " Restore the key ring that belongs to this database.";
  BOOST_TEST(opened_with(Ring::kLasting + kOld) == "opened");
  BOOST_TEST(opened_with(another_lasting + kOld) ==
             "The key lasting of the key ring is not the one under which values of this database are encrypted." +
                 remedy);
  BOOST_TEST(opened_with(Ring::kLasting + kNew) ==
             "The key ring lacks the key old, under which values of this database are encrypted." + remedy);
  BOOST_TEST(opened_with(Ring::kLasting + other_old + kNew) ==
             "The key old of the key ring is not the one under which values of this database are encrypted." + remedy);
  BOOST_TEST(opened_with(Ring::kLasting + kOld + kNew) == "opened");
  BOOST_TEST(opened_with(Ring::kLasting + kOld) ==
             "The key ring lacks the key new, under which values of this database are encrypted." + remedy);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tideover::test
