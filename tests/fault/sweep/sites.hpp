// Fresh places for a sweep: a folder and an empty database on the engine that is asked for.
#pragma once
#include <string>
#include <vector>

#include "tests/fault/driver/test_service.hpp"
#include "tests/fault/sweep/confirm_sweep.hpp"

namespace tideover::fault {

enum class Engine { sqlite, mariadb };
const char* name_of(Engine engine);
/// Both, or SQLite alone when TIDEOVER_TEST_MARIADB=skip.
std::vector<Engine> engines();

class FreshSite {
 public:
  FreshSite(Engine engine, const std::string& recall, bool has_fallback = false);
  ~FreshSite();
  FreshSite(const FreshSite&) = delete;
  FreshSite& operator=(const FreshSite&) = delete;
  const Site& site() const { return site_; }

  /// What `ledger verify` and `audit verify` find broken is a failure of the test.
  void verify() const;

 private:
  Site site_;
};

/// Fails the test for each violation. Returns the figures of the line that the test prints.
std::string verdict(const Tally& tally);

}  // namespace tideover::fault
