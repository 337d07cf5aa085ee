#include "core/store/records/funding/rail_sender_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

#define SENDER_COLUMNS "rail, node, epoch, since"

ports::RailSender read_sender(const sql::Row& row) {
  ColumnReader in(row);
  ports::RailSender sender;
  sender.rail = in.text();
  sender.node = in.text();
  sender.epoch = in.number();
  sender.since = in.timestamp();
  return sender;
}

}  // namespace

std::optional<ports::RailSender> RailSenderStore::find(std::string_view rail) const {
  return session_.first(read_sender, "SELECT " SENDER_COLUMNS " FROM rail_senders WHERE rail = ?", rail);
}

std::vector<ports::RailSender> RailSenderStore::all() const {
  return store::all(session_, read_sender, "SELECT " SENDER_COLUMNS " FROM rail_senders ORDER BY rail");
}

void RailSenderStore::insert(const ports::RailSender& sender) {
  insert_row<"rail_senders", SENDER_COLUMNS>(session_, sender.rail, sender.node, sender.epoch, sender.since.ms());
}

bool RailSenderStore::update(const ports::RailSender& sender, int expected_epoch) {
  return session_.run("UPDATE rail_senders SET node = ?, epoch = ?, since = ? WHERE rail = ? AND epoch = ?",
                      sender.node, sender.epoch, sender.since.ms(), sender.rail, expected_epoch) > 0;
}

}  // namespace tideover::store
