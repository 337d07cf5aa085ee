// The background job of a watched folder.
#pragma once
#include <memory>
#include <set>
#include <string>

#include "core/ops/metrics.hpp"
#include "core/pickup/disk_folder.hpp"
#include "core/service/background_job.hpp"
#include "core/settings/settings.hpp"
#include "core/usecases/nodes/shared_work.hpp"
#include "core/usecases/pickup/pick_up_files.hpp"

namespace tideover::service {

struct Infrastructure;
struct UseCases;

/// Posts the files of one folder. Of several nodes, one looks at a time; two at once do no harm.
class PickupJob : public BackgroundJob {
 public:
  /// Throws StartError when the folder cannot be used.
  PickupJob(Infrastructure& node, UseCases& uses, const settings::PickupFolderSettings& folder);
  bool run(const jobs::Periodic& thread) override;

  /// Time without a sign of life after which another node takes over the folder.
  static constexpr std::chrono::minutes kLease{2};

 private:
  void log_problems(const std::vector<std::string>& problems);

  const std::string folder_;
  std::unique_ptr<pickup::DiskFolder> files_;
  usecases::PickUpFiles pick_up_;
  std::unique_ptr<usecases::SharedWork> shared_;  // null for the embedded store
  std::set<std::string> problems_;                // of the latest round: each is logged once
  ops::Logger& log_;
  ops::Metrics& metrics_;
};

}  // namespace tideover::service
