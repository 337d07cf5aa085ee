// The real program before the fault rail.
#pragma once
#include <string>

#include "tests/fault/rail/bank_book.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {

inline void use_fault_rail(ServiceFolder& folder, const std::string& recall) {
  folder.use_plugin("funding_rail", "fault", TIDEOVER_FAULT_RAIL,
                    {{"folder", (folder.path() / "bank").string()}, {"recall", recall}});
  folder.set("funding.submit_timeout_ms", "500");
  folder.set("funding.wait_ms", "100");
  folder.set("log.level", "error");
}

inline Answer confirm(const ApiClient& api, const std::string& settlement) {
  return api.post_nothing("/v1/settlements/" + settlement + "/confirm", {{"Idempotency-Key", "key-" + settlement}});
}

}  // namespace tideover::test
