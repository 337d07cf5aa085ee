// Makes events for the estimators of a batch of the learning journal: reads the records that it names. What they were then is what is read
// whenever that is: claims by the revision that was reviewed, payers by their edition.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/domain/payer.hpp"
#include "core/estimators/published.hpp"
#include "core/ports/keyed_digest.hpp"
#include "core/ports/store.hpp"

namespace tideover::usecases {

class ReadLearning {
 public:
  ReadLearning(ports::Store& store, const ports::KeyedDigest& digests, domain::TenantId tenant) : store_(store), digests_(digests), tenant_(std::move(tenant)) {}

  /// Records that are missing or damaged are skipped and counted. Error: the store cannot be read now.
  domain::Result<std::vector<estimators::Event>> operator()(const domain::LearningBatch& batch);
  std::int64_t skipped() const { return skipped_; }

 private:
  enum class Found { yes, no };
  Found read(const ports::Records& records, const domain::LearningEntry& entry, std::vector<estimators::Event>& events);
  Found read(const ports::Records& records, const domain::ReviewHeard& heard, std::vector<estimators::Event>& events);
  Found read(const ports::Records& records, const domain::AnswerHeard& heard, std::vector<estimators::Event>& events);
  const domain::Payer& payer(const ports::Records& records, const std::string& edition);
  domain::Status one_by_one(const domain::LearningBatch& batch, std::vector<estimators::Event>& events);

  ports::Store& store_;
  const ports::KeyedDigest& digests_;
  const domain::TenantId tenant_;
  std::map<std::string, domain::Payer> payers_;     // by edition
  std::optional<domain::Remittance> remittance_;    // the last one: its claims follow on each other
  std::int64_t skipped_ = 0;
};

}  // namespace tideover::usecases
