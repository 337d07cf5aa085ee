#include <boost/test/unit_test.hpp>

#include "tests/fault/cluster/load.hpp"

#include <algorithm>

#include "tests/support/service/api_connection.hpp"
#include "tests/support/world/flow.hpp"

namespace tideover::test {
namespace {

constexpr int kWorkers = 6;
constexpr std::chrono::milliseconds kBetweenTries{20};

bool may_be_asked_again(const Answer& answer) {
  if (answer.status == 0 || answer.status == 503 || answer.status == 502) return true;
  return answer.status == 409 && answer.json().text("/error") == "idempotency_in_progress";
}

}  // namespace

Load::Load(const TwoNodes& nodes, std::string name) : nodes_(nodes), name_(std::move(name)) {
  for (int worker = 0; worker < kWorkers; ++worker) workers_.emplace_back([this, worker] { work(worker); });
}

void Load::stop() {
  stopping_ = true;
  workers_.clear();
}

void Load::note_answer() {
  const auto now = Clock::now();
  last_answer_ = now.time_since_epoch().count();
  const std::lock_guard held(lock_);
  answers_.push_back(now);
}

std::chrono::milliseconds Load::longest_gap(Clock::time_point from, Clock::time_point to) {
  const std::lock_guard held(lock_);
  std::sort(answers_.begin(), answers_.end());
  Clock::duration longest{};
  for (std::size_t i = 1; i < answers_.size(); ++i)
    if (answers_[i] > from && answers_[i - 1] < to) longest = std::max(longest, answers_[i] - answers_[i - 1]);
  return std::chrono::duration_cast<std::chrono::milliseconds>(longest);
}

std::vector<Promise> Load::promises() {
  const std::lock_guard held(lock_);
  return promises_;
}

std::vector<std::string> Load::surprises() {
  const std::lock_guard held(lock_);
  return surprises_;
}

std::string Load::ask(ApiConnection& api, const std::string& target, const std::string& body, const std::string& key) {
  while (!stopping_) {
    const Answer answer = api.post(target, body, key);
    if (answer.status == 200) {
      note_answer();
      return answer.body;
    }
    if (!may_be_asked_again(answer)) {
      const std::lock_guard held(lock_);
      surprises_.push_back(target + ": " + std::to_string(answer.status) + ' ' + answer.body);
      return "";
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
  return "";
}

void Load::work(int worker) {
  ApiConnection api(nodes_.port(worker % 2), nodes_.token);
  for (int number = 0; !stopping_; ++number) {
    Promise promise;
    promise.identifier = name_ + '-' + std::to_string(worker) + '-' + std::to_string(number);
    promise.account = "tok_" + promise.identifier;
    const std::string review =
        ask(api, "/v1/claims/reviews", claim_body(promise.identifier), "r-" + promise.identifier);
    if (!review.empty()) promise.authorization = Json(review).text("/authorization_id");
    // Most claims stay reviews; every third is funded.
    const std::string terms =
        review.empty() || number % 3 != 0
            ? ""
            : ask(api, "/v1/claims/adjudications", adjudication_body(promise.authorization, "FAULT", promise.account),
                  "a-" + promise.identifier);
    if (!terms.empty()) promise.settlement = Json(terms).text("/settlement_id");
    if (!terms.empty())
      promise.confirmation =
          ask(api, "/v1/settlements/" + promise.settlement + "/confirm", "", "c-" + promise.identifier);
    const std::lock_guard held(lock_);
    promises_.push_back(std::move(promise));
  }
}

}  // namespace tideover::test
