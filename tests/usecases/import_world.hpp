// A world in which files of claims are imported, and the rows of such files.
#pragma once
#include <functional>

#include "tests/usecases/world.hpp"

namespace tideover::tests {

inline std::string row(const std::string& identifier, const std::string& amount = "1000.00") {
  return "claim_identifier=" + identifier + ";chart_identifier=CH-" + identifier +
         ";servicer_npi=1234567893;billing_npi=1234567893;patient_primary_payor_id=PAYER;submitted_amount=" + amount +
         "\n";
}

inline std::string rows(int from, int to) {
  std::string text = "claims\n";
  for (int i = from; i <= to; ++i) text += row("CLM-" + std::to_string(i));
  return text;
}

struct ImportWorld : World {
  domain::Result<usecases::StoredResponse> try_start(
      const std::string& payload, const std::string& encoding = "none",
      const std::function<void(usecases::ImportRequest&)>& change = nullptr) {
    usecases::ImportRequest request;
    request.format = "lines";
    request.encoding = encoding;
    request.payload = payload;
    if (change) change(request);
    return (*start_import)(context("import"), request, [](const domain::ImportJob& job) { return job.id.text(); });
  }
  domain::ImportJobId started(const std::string& payload,
                              const std::function<void(usecases::ImportRequest&)>& change = nullptr) {
    const auto answer = try_start(payload, "none", change);
    BOOST_REQUIRE_MESSAGE(answer, "the import was refused: " << why(answer));
    return *domain::ImportJobId::parse(answer->body);
  }
  domain::ImportJob job(const domain::ImportJobId& id) {
    auto found = usecases::ReadImports(*sql).one(caller.tenant, id.text());
    BOOST_REQUIRE(bool(found));
    return *found;
  }
  std::vector<usecases::ImportResult> results(const domain::ImportJobId& id) {
    auto page = usecases::ReadImports(*sql).results(caller.tenant, id.text(), 0, 1'000'000);
    BOOST_REQUIRE(bool(page));
    BOOST_TEST(!page->has_more);
    return page->items;
  }
  /// "1 accepted 2 rejected ..."
  std::string outcomes(const domain::ImportJobId& id) {
    std::string text;
    for (const auto& result : results(id))
      text += (text.empty() ? "" : " ") + std::to_string(result.row) + ' ' + std::string(name_of(result.outcome));
    return text;
  }
  domain::Result<usecases::StoredResponse> try_cancel(const std::string& id) {
    return usecases::CancelImport(*store, ids)(
        context("cancel"), id, [](const domain::ImportJob& canceled) { return std::string(name_of(canceled.status)); });
  }
  /// Works until nothing is open.
  void work() {
    while (true) {
      const auto worked = (*run_import)([] { return false; });
      BOOST_REQUIRE_MESSAGE(worked, "the import failed: " << why(worked));
      if (!*worked) return;
    }
  }
  domain::ImportJob done(const std::string& payload,
                         const std::function<void(usecases::ImportRequest&)>& change = nullptr) {
    const auto id = started(payload, change);
    BOOST_TEST(job(id).status == domain::ImportStatus::queued);
    work();
    return job(id);
  }
};

inline void check_counts(const domain::ImportJob& job, int total, int accepted, int rejected, int duplicate) {
  BOOST_TEST(job.total_rows == total);
  BOOST_TEST(job.accepted_rows == accepted);
  BOOST_TEST(job.rejected_rows == rejected);
  BOOST_TEST(job.duplicate_rows == duplicate);
}

}  // namespace tideover::tests
