// tideover rails sender show|move: the one node that sends over a rail without deduplication by key.
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/expect.hpp"
#include "core/journal/file_journal.hpp"
#include "core/node/start.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/store.hpp"
#include "core/settings/settings.hpp"

namespace tideover::admin {
namespace {

AdminReply show(AdminContext& context, const AdminRequest& request) {
  std::string out;
  const auto senders =
      expect(fetch(context.store, [](const ports::Records& records) { return records.rail_senders().all(); }));
  for (const auto& sender : senders)
    if (request.option("rail").empty() || request.option("rail") == sender.rail)
      out += fmt::format("{:<12}  node={}  epoch={}  since={}\n", sender.rail, sender.node, sender.epoch,
                         format_timestamp(sender.since));
  if (!out.empty()) return {0, out, ""};
  if (context.settings.store.driver == settings::StoreDriver::sqlite)
    return {0, "The store is embedded: this service is the sender of every rail.\n", ""};
  return {0, "No rail has a sender yet. The first node that uses a rail without deduplication becomes its sender.\n",
          ""};
}

/// A running sender may still send payments that a copy of its journal does not contain.
void expect_silent_sender(AdminContext& context, const std::string& rail, const std::string& to) {
  const auto node = expect(fetch(context.store, [&](const ports::Records& records) {
    const auto sender = records.rail_senders().find(rail);
    return sender && sender->node != to ? records.nodes().find(sender->node) : std::nullopt;
  }));
  if (node && node->lease_end > context.clock.now())
    throw node::StartError("Node " + node->name + ", the sender of " + rail +
                           ", is running or stopped a moment ago. Stop it, then copy its rail journal.");
}

/// Adds the keys of the old sender's journal to this node's journal. Without that journal, all open attempts are
/// resolved by asking the rail.
std::string move_journal(AdminContext& context, const std::string& rail, const std::string& file) {
  const auto own = node::open_journal(context.settings, context.clock);
  if (file.empty()) {
    expect(own->distrust());
    return "The rail is asked about its open attempts; none is sent.";
  }
  if (!std::filesystem::exists(file)) throw node::StartError("File " + file + " not found.");
  journal::JournalOptions options;
  options.path = file;
  const auto old = journal::FileJournal::open(std::move(options), context.clock);
  if (!old) throw node::StartError(old.error().message);
  const auto taken = own->take_over(**old, rail);
  if (!taken) throw node::StartError(taken.error().message);
  return fmt::format("{} keys were copied from its journal.", *taken);
}

AdminReply move(AdminContext& context, const AdminRequest& request) {
  const auto rail = request.option("rail"), to = request.option("to"), file = request.option("journal");
  const bool lost = !request.option("journal-lost").empty();
  if (rail.empty() || to.empty())
    throw node::StartError(
        "--rail and --to are required: tideover rails sender move --rail SAME_DAY --to node-b --journal FILE");
  if (to != node::node_name(context.settings))
    throw node::StartError("Run this command on the new sender. This node is " + node::node_name(context.settings) +
                           ".");
  if (file.empty() == !lost)
    throw node::StartError(
        "The keys sent over " + rail +
        " are in the rail journal of its current sender. Stop both nodes, copy that file to this machine "
        "and give it as --journal FILE, or use --journal-lost when it is lost.");
  expect_silent_sender(context, rail, to);
  std::string from;
  const auto journal = move_journal(context, rail, file);
  expect(context.store.commit([&](ports::Records& records) -> domain::Status {
    auto sender = records.rail_senders().find(rail);
    if (!sender)
      return domain::Error::of(domain::ErrorCode::not_found,
                               "Rail " + rail + " has no sender. See tideover rails sender show.");
    from = sender->node;
    const int epoch = sender->epoch++;
    sender->node = to;
    sender->since = context.clock.now();
    if (records.rail_senders().update(*sender, epoch)) return {};
    return domain::Error::of(domain::ErrorCode::conflict,
                             "The sender of " + rail + " was changed at the same time. Check it and try again.");
  }));
  return {0, fmt::format("The sender of {} is now {}, before {}. {}\n", rail, to, from, journal), ""};
}

}  // namespace

std::vector<AdminVerb> rail_sender_verbs() {
  return {{"show", "List the senders", {{"--rail", "Only this rail"}}, show},
          {"move",
           "Make this node the sender and take over the rail journal",
           {{"--rail", "RTP, SAME_DAY or FUTURE_DATE"},
            {"--to", "The new sender: node.name of this node"},
            {"--journal", "A copy of the old sender's rail journal", "", AdminOption::Kind::path},
            {"--journal-lost", "The old sender's rail journal is lost", "", AdminOption::Kind::flag}},
           move}};
}

}  // namespace tideover::admin
