// Rules are saved again and again while claims are judged: no claim fails, and none is judged by rules of two bundles
// (R22). What it costs the slowest claims is P14, in processor time of the judging thread, so that other work on the
// machine does not count.
#include <boost/test/unit_test.hpp>

#include <fmt/core.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "tests/fault/figure.hpp"
#include "tests/rules/rule_folder.hpp"

using namespace tideover;
using namespace tideover::testing;

namespace {

constexpr int kRules = 10;
constexpr int kClaimsBetween = 600;  // for each reload, by all threads: a second of a busy service

/// A folder of rules each of which finds something and says its edition; the terms say it too.
void write_edition(const RuleFolder& folder, int edition) {
  const auto text = std::to_string(edition);
  for (int i = 0; i < kRules; ++i)
    folder.replace(
        "denial/rule_" + std::to_string(i) + ".lua",
        denial_rule("rule_" + std::to_string(i),
                    "if claim.line_count > 0 then return { probability = 0.5, note = 'edition " + text + "' } end"));
  folder.replace(
      "terms/plain.lua",
      terms_rule(
          "if review.denial_probability_bps > 5000 then return { decision = 'declined' } end\n"
          "return { decision = 'approved', advance_percentage = 0.80, fee_percentage = 0.02, reasons = { 'edition " +
          text + "' } }"));
}

std::unique_ptr<RuleFolder> folder_of_editions() {
  auto folder = std::make_unique<RuleFolder>();
  std::filesystem::remove(folder->path() / "denial/zero.lua");
  std::filesystem::remove(folder->path() / "cases/zero.lua");
  std::string list;
  for (int i = 0; i < kRules; ++i) {
    const auto name = "rule_" + std::to_string(i);
    list += "'" + name + "', ";
    folder->write("cases/" + name + ".lua", "return { rule = 'denial." + name +
                                                "', cases = {\n  { name = 'a line', expect = {} }, { name = 'none', "
                                                "claim = { lines = {} }, expect = 'nothing' } } }\n");
  }
  folder->write("ruleset.lua", "return { version = '1', denial = { " + list + " }, terms = 'plain' }\n");
  write_edition(*folder, 0);
  return folder;
}

double processor_us() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double p99(std::vector<double> costs) {
  BOOST_REQUIRE(!costs.empty());
  std::sort(costs.begin(), costs.end());
  return costs[costs.size() * 99 / 100];
}

/// Judges claims on two threads until it is stopped, and checks each answer.
class Load {
 public:
  Load(lua::Engine& engine, const std::map<std::string, int>& editions, std::mutex& editions_lock)
      : engine_(engine), editions_(editions), editions_lock_(editions_lock) {
    for (auto& costs : costs_) threads_.emplace_back([this, &costs] { judge(costs); });
  }
  ~Load() { stop(); }
  void stop() {
    is_over_ = true;
    for (auto& thread : threads_)
      if (thread.joinable()) thread.join();
  }
  std::vector<double> costs() const {
    auto all = costs_[0];
    all.insert(all.end(), costs_[1].begin(), costs_[1].end());
    return all;
  }

  std::atomic<std::size_t> judged{0}, failed{0}, mixed{0};

 private:
  void judge(std::vector<double>& costs) {
    const TestClaim claim;
    const auto review = test_review();
    while (!is_over_) {
      const double began = processor_us();
      const auto assessed = engine_.assess_denial(claim.facts());
      costs.push_back(processor_us() - began);
      const auto terms = engine_.propose_terms({review, "RTP", claim.today});
      ++judged;
      if (!assessed.faults.empty() || !terms.faults.empty() || assessed.findings.size() != kRules ||
          terms.proposal.reasons.size() != 1) {
        ++failed;
        continue;
      }
      if (std::any_of(assessed.findings.begin(), assessed.findings.end(), [&](const auto& finding) {
            return finding.description != "A test (" + edition_of(assessed.rules.sha256) + ")";
          }))
        ++mixed;
      if (terms.proposal.reasons.front() != edition_of(terms.rules.sha256)) ++mixed;
    }
  }
  std::string edition_of(const std::string& sha256) const {
    const std::lock_guard lock(editions_lock_);
    const auto known = editions_.find(sha256);
    return known == editions_.end() ? "nothing that was published" : "edition " + std::to_string(known->second);
  }

  lua::Engine& engine_;
  const std::map<std::string, int>& editions_;
  std::mutex& editions_lock_;
  std::vector<double> costs_[2];
  std::atomic<bool> is_over_{false};
  std::vector<std::thread> threads_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(reload)

BOOST_AUTO_TEST_CASE(reloads_under_load_fail_no_claim_and_mix_no_bundles) {
  const auto reloads = test::cases(200, 5000);
  const auto folder = folder_of_editions();
  std::map<std::string, int> editions;
  std::mutex lock;
  const auto load_edition = [&](int edition) {
    write_edition(*folder, edition);
    const auto loaded = folder->load();
    BOOST_REQUIRE_MESSAGE(loaded.ruleset, faults_of(loaded));
    const std::lock_guard held(lock);
    editions[loaded.sha256] = edition;
    return loaded.ruleset;
  };
  lua::Engine engine(load_edition(0));
  const auto wait_for = [](const Load& load, std::size_t judged) {
    while (load.judged < judged) std::this_thread::yield();
  };

  Load steady(engine, editions, lock);
  wait_for(steady, 20'000);
  steady.stop();

  Load under_reloads(engine, editions, lock);
  for (std::size_t i = 1; i <= reloads; ++i) {
    engine.publish(load_edition(static_cast<int>(i)));
    wait_for(under_reloads, under_reloads.judged + kClaimsBetween);
  }
  under_reloads.stop();
  for (const auto* load : {&steady, &under_reloads}) {
    BOOST_TEST(load->failed == 0u);
    BOOST_TEST(load->mixed == 0u);
  }
  const double ratio = p99(under_reloads.costs()) / p99(steady.costs());
  BOOST_TEST(ratio <= 3.0);
  test::survived("R22", reloads, reloads,
                 fmt::format("reloads while {} claims were judged: 0 failed, 0 by rules of two bundles; P14 p99 / "
                             "steady p99 of a claim's processor time {:.2f}",
                             under_reloads.judged.load(), ratio));
}

BOOST_AUTO_TEST_SUITE_END()
