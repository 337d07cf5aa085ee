#include "core/usecases/nodes/shared_work.hpp"

namespace tideover::usecases {

domain::Result<bool> SharedWork::take() {
  const auto now = clock_.now();
  bool ours = false;
  const auto done = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        ours = records.nodes().take_work(name_, node_, now, now.plus_ms(lease_.count()));
        return {};
      },
      ports::Priority::background);
  if (!done && done.error().code == domain::ErrorCode::conflict) return false;  // another node was first
  if (!done) return done.error();
  return ours;
}

domain::Status SharedWork::done(std::chrono::milliseconds period) {
  return store_.commit(
      [&](ports::Records& records) -> domain::Status {
        records.nodes().finish_work(name_, node_, clock_.now().plus_ms(period.count()));
        return {};
      },
      ports::Priority::background);
}

}  // namespace tideover::usecases
