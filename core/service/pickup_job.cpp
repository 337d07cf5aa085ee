#include "core/service/pickup_job.hpp"

#include <sstream>

#include "core/node/start.hpp"
#include "core/node/start_error.hpp"
#include "core/service/infrastructure.hpp"
#include "core/service/use_cases.hpp"

namespace tideover::service {
namespace {

std::unique_ptr<pickup::DiskFolder> open_folder(const settings::Settings& settings,
                                                const settings::PickupFolderSettings& folder) {
  std::vector<std::string> suffixes;
  std::istringstream words(folder.temporary_suffixes);
  for (std::string word; words >> word;) suffixes.push_back(word);
  auto opened = pickup::DiskFolder::open(
      {folder.path, folder.is_own_inbox, std::move(suffixes), settings.limits.import_body_bytes});
  if (!opened) throw node::StartError(opened.error().message);
  return std::move(*opened);
}

usecases::PickupTerms terms_of(const settings::Settings& settings, const settings::PickupFolderSettings& folder) {
  return {folder.name,
          folder.tenant,
          static_cast<domain::PickupKind>(folder.kind),
          folder.format,
          std::chrono::milliseconds(folder.stable_ms),
          folder.archive_days,
          settings.environment};
}

}  // namespace

PickupJob::PickupJob(Infrastructure& node, UseCases& uses, const settings::PickupFolderSettings& folder)
    : BackgroundJob("pickup " + folder.name, std::chrono::milliseconds(folder.poll_ms)),
      folder_(folder.name),
      files_(open_folder(node.settings, folder)),
      pick_up_(*node.store, uses.post_picked_file, *files_, node.tenant_clock, node.ids,
               terms_of(node.settings, folder)),
      log_(node.log),
      metrics_(node.metrics) {
  if (node.node_lease)
    shared_ = std::make_unique<usecases::SharedWork>(*node.store, node.clock, "pickup_" + folder.name,
                                                     node::node_name(node.settings), kLease);
  metrics_.expect_pickup(folder_);
}

bool PickupJob::run(const jobs::Periodic& thread) {
  if (shared_) {
    const auto ours = shared_->take();
    log_failure(log_, "pickup_trouble", ours);
    if (!ours || !*ours) return false;
  }
  // A round may be longer than the lease: it is renewed before each file.
  const auto has_lost_lease = [&] {
    const auto ours = shared_ ? shared_->take() : domain::Result<bool>(true);
    return !ours || !*ours;
  };
  const auto round = pick_up_([&] { return thread.stopping() || has_lost_lease(); });
  if (round.posted + round.duplicates + round.quarantined > 0)
    log_.info("pickup", {{"folder", folder_},
                         {"posted", round.posted},
                         {"duplicates", round.duplicates},
                         {"quarantined", round.quarantined},
                         {"waiting", round.waiting}});
  log_problems(round.problems);
  metrics_.picked_up(folder_, {round.posted, round.duplicates, round.quarantined, round.waiting,
                               static_cast<int>(round.problems.size())});
  if (shared_) log_failure(log_, "pickup_trouble", shared_->done(period()));
  return false;
}

void PickupJob::log_problems(const std::vector<std::string>& problems) {
  std::set<std::string> now(problems.begin(), problems.end());
  for (const auto& problem : now)
    if (!problems_.contains(problem)) log_.warning("pickup_trouble", {{"folder", folder_}, {"problem", problem}});
  problems_ = std::move(now);
}

}  // namespace tideover::service
