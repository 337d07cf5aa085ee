#include "core/usecases/nodes/node_lease.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;

constexpr std::chrono::milliseconds kLookAgain{200};

}  // namespace

NodeLease::NodeLease(ports::Store& store, const ports::Clock& clock, NodeLeaseOptions options)
    : store_(store), clock_(clock), options_(std::move(options)) {}

domain::Status NodeLease::refusal(const ports::Node& holder) const {
  return Error::of(ErrorCode::invalid_state, "Another process already runs as the node '" + options_.name +
                                                 "' on this database (" + holder.process + ", since " +
                                                 format_timestamp(holder.started_at) +
                                                 "). Give each process its own node.name, or stop the other process.");
}

domain::Status NodeLease::take(const std::function<void(std::chrono::milliseconds)>& wait) {
  std::optional<ports::Node> first;
  for (std::chrono::milliseconds waited{0};; waited += kLookAgain) {
    const auto read = fetch(store_, [&](const ports::Records& records) { return records.nodes().find(options_.name); });
    if (!read) return read.error();
    const auto& holder = *read;
    // An earlier start of this process that failed may have taken the name.
    const bool is_held = holder && holder->process != options_.process && holder->lease_end > clock_.now();
    const auto state = is_held ? options_.state_of(holder->process) : ProcessState::gone;
    if (state == ProcessState::alive) return refusal(*holder);
    if (!first) first = holder;
    const bool beats = is_held && first && holder->lease_end != first->lease_end;
    if (state == ProcessState::elsewhere && beats) return refusal(*holder);
    if (state == ProcessState::gone || waited >= options_.lease) {
      const auto written = write(holder ? holder->epoch + 1 : 1);
      if (written || written.error().code != ErrorCode::conflict) return written;
    }
    wait(kLookAgain);
  }
}

domain::Status NodeLease::write(int epoch) {
  ports::Node node;
  node.name = options_.name;
  node.process = options_.process;
  node.version = options_.version;
  node.epoch = epoch;
  node.started_at = clock_.now();
  node.lease_end = node.started_at.plus_ms(options_.lease.count());
  const auto done = store_.commit([&](ports::Records& records) -> domain::Status {
    if (records.nodes().take(node)) return {};
    return Error::of(ErrorCode::conflict, "Another process was first.");
  });
  if (done) epoch_ = epoch;
  return done;
}

domain::Status NodeLease::renew() {
  return store_.commit(
      [&](ports::Records& records) -> domain::Status {
        if (records.nodes().renew(options_.name, epoch_, clock_.now().plus_ms(options_.lease.count()))) return {};
        return Error::of(ErrorCode::invalid_state,
                         "Another process has taken the node name '" + options_.name +
                             "', because this one was silent for too long. Restart it with its own name.");
      },
      ports::Priority::background);
}

void NodeLease::leave() {
  (void)store_.commit([&](ports::Records& records) -> domain::Status {
    records.nodes().renew(options_.name, epoch_, clock_.now());
    return {};
  });
}

domain::Result<std::string> NodeLease::neighbours() const {
  const auto nodes = fetch(store_, [](const ports::Records& records) { return records.nodes().list(); });
  if (!nodes) return nodes.error();
  std::string live, silent;
  const auto now = clock_.now();
  for (const auto& node : *nodes) {
    if (node.lease_end > now)
      live += (live.empty() ? "" : ", ") + node.name;
    else
      silent += "; silent since " + format_timestamp(node.lease_end) + ": " + node.name;
  }
  return "nodes: " + live + silent;
}

}  // namespace tideover::usecases
