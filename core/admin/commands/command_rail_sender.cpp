// tideover rails sender show|move: the one node that sends over a rail which does not recognise a key it has seen.
#include <fmt/core.h>

#include "core/admin/admin_verbs.hpp"
#include "core/node/start.hpp"

namespace tideover::main {
namespace {

void expect(const domain::Status& done) {
  if (!done) throw StartError(done.error().message);
}

AdminReply show(AdminContext& context, const AdminRequest& request) {
  std::string out;
  expect(context.store.read([&](const ports::Records& records) {
    for (const auto& sender : records.rail_senders().all())
      if (request.option("rail").empty() || request.option("rail") == sender.rail)
        out += fmt::format("{:<12}  node={}  epoch={}  since={}\n", sender.rail, sender.node, sender.epoch,
                           format_timestamp(sender.since));
  }));
  if (!out.empty()) return {0, out, ""};
  if (context.settings.store.driver == settings::StoreDriver::sqlite)
    return {0, "The store is embedded: this service alone sends, over every rail.\n", ""};
  return {0, "No rail has a sender yet: the first node that serves a rail without dedup becomes its sender.\n", ""};
}

/// What a sender that still runs shows to the rail, no copy of its journal has.
void expect_silent_sender(AdminContext& context, const std::string& rail, const std::string& to) {
  std::string running;
  expect(context.store.read([&](const ports::Records& records) {
    const auto sender = records.rail_senders().find(rail);
    const auto node = sender && sender->node != to ? records.nodes().find(sender->node) : std::nullopt;
    if (node && node->lease_end > context.clock.now()) running = node->name;
  }));
  if (!running.empty())
    throw StartError("The node " + running + ", which sends over " + rail +
                     ", is running, or was a moment ago: stop it, then copy its rail journal.");
}

/// What the old sender had shown to the rail becomes this node's knowledge, or all that is open now becomes a question.
std::string move_journal(AdminContext& context, const std::string& rail, const std::string& file) {
  const auto own = open_journal(context.settings, context.clock);
  if (file.empty()) {
    expect(own->distrust());
    return "Its attempts that are open now are asked about, none is sent.";
  }
  if (!std::filesystem::exists(file)) throw StartError("There is no file " + file + ".");
  journal::JournalOptions options;
  options.path = file;
  const auto old = journal::FileJournal::open(std::move(options), context.clock);
  if (!old) throw StartError(old.error().message);
  const auto taken = own->take_over(**old, rail);
  if (!taken) throw StartError(taken.error().message);
  return fmt::format("{} keys were taken over from its journal.", *taken);
}

AdminReply move(AdminContext& context, const AdminRequest& request) {
  const auto rail = request.option("rail"), to = request.option("to"), file = request.option("journal");
  const bool lost = !request.option("journal-lost").empty();
  if (rail.empty() || to.empty())
    throw StartError(
        "--rail and --to are required: tideover rails sender move --rail SAME_DAY --to node-b --journal FILE");
  if (to != node_name(context.settings))
    throw StartError("Move a rail at its new sender: this node is " + node_name(context.settings) + ".");
  if (file.empty() == !lost)
    throw StartError(
        "What was sent over " + rail +
        " is in the rail journal of its present sender, and it moves along: stop both nodes, copy that file here "
        "and give the copy as --journal FILE; or say --journal-lost when it is gone.");
  expect_silent_sender(context, rail, to);
  std::string from;
  const auto journal = move_journal(context, rail, file);
  expect(context.store.commit([&](ports::Records& records) -> domain::Status {
    auto sender = records.rail_senders().find(rail);
    if (!sender)
      return domain::Error::of(domain::ErrorCode::not_found,
                               "The rail " + rail + " has no sender; see tideover rails sender show.");
    from = sender->node;
    const int epoch = sender->epoch++;
    sender->node = to;
    sender->since = context.clock.now();
    if (records.rail_senders().update(*sender, epoch)) return {};
    return domain::Error::of(domain::ErrorCode::conflict,
                             "The sender of " + rail + " was changed at the same time; read it and try again.");
  }));
  return {0, fmt::format("{} is sent by {} now, no longer by {}. {}\n", rail, to, from, journal), ""};
}

}  // namespace

std::vector<AdminVerb> rail_sender_verbs() {
  return {{"show", "List the senders", {{"--rail", "Only this one"}}, show},
          {"move",
           "Make another node the sender, together with the rail journal",
           {{"--rail", "RTP, SAME_DAY or FUTURE_DATE"},
            {"--to", "The new sender: this node, by its node.name"},
            {"--journal", "A copy of the old sender's rail journal", "", AdminOption::Kind::path},
            {"--journal-lost", "That journal is gone", "", AdminOption::Kind::flag}},
           move}};
}

}  // namespace tideover::main
