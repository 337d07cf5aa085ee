// A new SQLite store for each input, so that an input does the same whatever came before it. It is a copy of an empty
// store that is migrated once per process.
#pragma once
#include <filesystem>
#include <memory>

#include "core/domain/basics/tenant.hpp"
#include "core/store/integrity/checkpoint_file.hpp"
#include "core/store/sql_store.hpp"
#include "core/usecases/audit/verify_ledger.hpp"
#include "core/usecases/request/request_context.hpp"
#include "tests/fakes/counting_ids.hpp"
#include "tests/fakes/fixed_clock.hpp"
#include "tests/fakes/memory_journal.hpp"
#include "tests/fakes/plain_cipher.hpp"
#include "tests/fakes/plain_digest.hpp"

namespace tideover::fuzz {

class FreshStore {
 public:
  /// `post_on`: of the tenant that calls.
  explicit FreshStore(domain::PostOn post_on = domain::PostOn::deposit);
  FreshStore(const FreshStore&) = delete;
  FreshStore& operator=(const FreshStore&) = delete;
  ~FreshStore();

  usecases::RequestContext context(const std::string& operation) const;
  /// Throws Broken for what the verification of ledger and audit trail finds, and when a statement failed.
  void verify();
  template <class Look>
  auto seen(Look look) {
    std::invoke_result_t<Look, const ports::Records&> value{};
    if (!sql->read([&](const ports::Records& records) { value = look(records); }))
      throw std::runtime_error("reading failed");
    return value;
  }

  fakes::FixedClock clock;
  fakes::CountingIds ids;
  fakes::PlainDigest digests;
  fakes::MemoryJournal journal;
  domain::Caller caller;

 private:
  const std::filesystem::path folder_;
  fakes::PlainCipher cipher_;
  std::atomic<bool> has_failed_ = false;

 public:
  std::unique_ptr<store::SqlStore> sql;  // last: it ends first
};

}  // namespace tideover::fuzz
