// One process of the service without its sockets: the real pipeline, use cases, store and journal over a rail that
// fails by script. Everything lasting is in a `Site`; a TestService is what a kill takes away. Throws
// std::runtime_error where a step that must work does not.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/domain/basics/date.hpp"
#include "core/http/server/request.hpp"
#include "core/store/sql_store.hpp"

namespace tideover::fault {

/// The rail of a site, and the one that settlements with a fallback try after a reject.
inline constexpr const char* kRail = "FAULT";
inline constexpr const char* kOtherRail = "OTHER";

/// What outlives a process: the database, the node's folder (keys, journal) and the banks.
struct Site {
  store::StoreOptions store;
  std::filesystem::path folder;
  std::string recall = "dedup";  // what its rail declares
  bool final_on_accept = false;
  bool has_fallback = false;  // whether settlements try kOtherRail after a reject

  std::filesystem::path bank() const { return folder / "bank"; }
  std::filesystem::path other_bank() const { return folder / "other-bank"; }
};

/// A settlement that waits for its confirm, and its claim's identifier.
struct Advance {
  std::string settlement;
  std::string claim;
};

/// What a client asks of a settlement that moves money.
enum class Errand {
  confirm,  // its advance
  payout,   // the rest of what its payer has paid
};

/// When the first process of a site runs; those that come to repair run later.
inline const domain::Timestamp kOpening =
    domain::Timestamp::from_ms(1'795'186'800'000);  // Friday 2026-11-20, 10:00 New York

class TestService {
 public:
  TestService(const Site& site, domain::Timestamp now);
  ~TestService();
  TestService(const TestService&) = delete;
  TestService& operator=(const TestService&) = delete;

  /// The tenant and its client, where there are none yet.
  void settle_in();
  /// Claims, reviewed and adjudicated.
  std::vector<Advance> advances(int count);
  /// A request as it comes from the connection front, with the token of the site's client.
  http::Response call(const std::string& method, const std::string& path, const std::string& body,
                      const std::string& key = "");
  http::Response confirm(const std::string& settlement, const std::string& key) {
    return ask(Errand::confirm, settlement, key);
  }
  http::Response ask(Errand errand, const std::string& settlement, const std::string& key);
  /// Confirms the advance and posts what its payer pays for the claim, 800.00: 147.20 are the provider's.
  void pay_for(const Advance& advance);
  /// What start-up and the background jobs do, hour by hour, until no attempt is open; false when that never comes.
  bool recover();
  /// Works on imports until none is open.
  void work_on_imports();
  /// Publishes and delivers until nothing waits any more.
  void deliver_events();
  /// The kinds of the unpublished events that name the settlement.
  std::vector<std::string> events_of(const std::string& settlement);
  /// What `ledger verify` and `audit verify` find broken.
  std::vector<std::string> verify();
  void pass(std::chrono::seconds time);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The database past the service, for checks. No TestService may live on the site.
std::unique_ptr<sql::Database> open_past_the_store(const Site& site);

}  // namespace tideover::fault
