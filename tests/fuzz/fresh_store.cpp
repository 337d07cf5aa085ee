#include "tests/fuzz/fresh_store.hpp"

#include <cstdlib>
#include <stdexcept>

#include "core/usecases/audit/verify_audit.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabase = "tideover.db";

class NoEvents final : public ports::EventEncoder {
 public:
  std::string encode_data(const domain::EventData& data) const override { return std::string(domain::kind_of(data)); }
};
const NoEvents kEncoder;

std::unique_ptr<store::SqlStore> opened(const fs::path& file, const ports::FieldCipher& cipher,
                                        std::function<void(std::string_view)> on_failure) {
  store::StoreOptions options;
  options.sqlite_path = file;
  options.on_failure = std::move(on_failure);
  auto store = store::SqlStore::open(options, kEncoder, cipher);
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

domain::Tenant tenant(domain::PostOn post_on) {
  const bool is_first = post_on == domain::PostOn::deposit;
  return {domain::TenantId::of({0, is_first ? 1U : 2U}), is_first ? "with a bank feed" : "without",
          domain::ValidationProfile::lenient, post_on};
}

/// The folder of this process, with the empty store that every input gets a copy of.
class Template {
 public:
  Template() {
    // In memory where that is possible: a store in a fuzz run has nothing to survive.
    const fs::path memory = "/dev/shm";
    std::string name =
        ((fs::is_directory(memory) ? memory : fs::temp_directory_path()) / "tideover-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    fakes::PlainCipher cipher;
    const auto store = opened(folder_ / "original" / kDatabase, cipher, {[](std::string_view) {}});
    const auto kept = store->commit([&](ports::Records& records) -> domain::Status {
      for (const auto post_on : {domain::PostOn::deposit, domain::PostOn::remittance})
        records.clients().insert_tenant(tenant(post_on), fakes::FixedClock().now());
      return {};
    });
    if (!kept) throw std::runtime_error(kept.error().message);
    const auto copied = store->copy_to(folder_ / kDatabase, [](std::int64_t, std::int64_t) { return true; });
    if (!copied) throw std::runtime_error(copied.error().message);
  }
  Template(const Template&) = delete;
  Template& operator=(const Template&) = delete;
  ~Template() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  /// A new folder with a copy.
  fs::path copy() {
    const auto folder = folder_ / std::to_string(++copies_);
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::owner_all);
    fs::copy_file(folder_ / kDatabase, folder / kDatabase);
    return folder;
  }

 private:
  fs::path folder_;
  int copies_ = 0;
};

fs::path new_folder() {
  static Template empty;
  return empty.copy();
}

}  // namespace

FreshStore::FreshStore(domain::PostOn post_on)
    : caller{tenant(post_on).id, domain::ClientId::of({0, 3}), domain::Environment::sandbox, tenant(post_on).profile,
             domain::ScopeSet::all()},
      folder_(new_folder()),
      sql(opened(folder_ / kDatabase, cipher_, [this](std::string_view) { has_failed_ = true; })) {
  ids.count_on_from(100);
}

FreshStore::~FreshStore() {
  sql.reset();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

usecases::RequestContext FreshStore::context(const std::string& operation) const {
  return {caller, "req", operation, clock.now(), std::nullopt};
}

void FreshStore::verify() {
  must(!has_failed_, "the database accepts every statement");
  domain::Money posted, pending;
  for (const auto& balance :
       seen([&](const ports::Records& records) { return records.ledger().balances(caller.tenant, "", 10'000); })) {
    posted += balance.posted;
    pending += balance.pending;
  }
  must(posted.is_zero() && pending.is_zero(), "the ledger sums to zero");
  const store::CheckpointFile checkpoints{folder_ / "checkpoints", crypto::SigningKey(std::string(32, 'k'))};
  const usecases::OwnWitness witness{
      [this] { return domain::Result(std::shared_ptr<const ports::RailJournal>(std::shared_ptr<void>(), &journal)); },
      clock, ""};
  const auto ledger = usecases::VerifyLedger(*sql, checkpoints, witness)();
  const auto audit = usecases::VerifyAudit(*sql, checkpoints)();
  for (const auto* found : {&ledger, &audit}) {
    must(static_cast<bool>(*found), "ledger and audit trail can be verified");
    for (const auto& breach : (*found)->first_breaches) throw Broken(breach.where + ": " + breach.what);
  }
}

}  // namespace tideover::fuzz
