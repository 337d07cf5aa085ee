#include "core/store/records/operations/node_store.hpp"

#include "core/store/records/rows/columns.hpp"
#include "core/store/records/rows/insert_row.hpp"

namespace tideover::store {
namespace {

#define NODE_COLUMNS "name, process, version, epoch, started_at, lease_end"

ports::Node read_node(const sql::Row& row) {
  ColumnReader in(row);
  ports::Node node;
  node.name = in.text();
  node.process = in.text();
  node.version = in.text();
  node.epoch = in.number();
  node.started_at = in.timestamp();
  node.lease_end = in.timestamp();
  return node;
}

}  // namespace

std::optional<ports::Node> NodeStore::find(std::string_view name) const {
  return session_.first(read_node, "SELECT " NODE_COLUMNS " FROM nodes WHERE name = ?", name);
}

std::vector<ports::Node> NodeStore::list() const {
  return all(session_, read_node, "SELECT " NODE_COLUMNS " FROM nodes ORDER BY name");
}

bool NodeStore::take(const ports::Node& node) {
  const bool renamed = session_.run(
                           "UPDATE nodes SET process = ?, version = ?, epoch = ?, started_at = ?, lease_end = ? "
                           "WHERE name = ? AND epoch = ?",
                           node.process, node.version, node.epoch, node.started_at.ms(), node.lease_end.ms(), node.name,
                           node.epoch - 1) > 0;
  if (renamed) return true;
  if (find(node.name)) return false;
  insert_row<"nodes", NODE_COLUMNS>(session_, node.name, node.process, node.version, node.epoch, node.started_at.ms(),
                                    node.lease_end.ms());
  return true;
}

bool NodeStore::renew(std::string_view name, int epoch, domain::Timestamp lease_end) {
  return session_.run("UPDATE nodes SET lease_end = ? WHERE name = ? AND epoch = ?", lease_end.ms(), name, epoch) > 0;
}

bool NodeStore::take_work(std::string_view work, std::string_view node, domain::Timestamp now,
                          domain::Timestamp lease_end) {
  const bool taken = session_.run(
                         "UPDATE shared_work SET node = ?, lease_end = ? WHERE work = ? AND (lease_end <= ? OR node = "
                         "?) AND next_at <= ?",
                         node, lease_end.ms(), work, now.ms(), node, now.ms()) > 0;
  if (taken) return true;
  if (session_.first([](const sql::Row& row) { return row.integer(0); }, "SELECT 1 FROM shared_work WHERE work = ?",
                     work))
    return false;
  insert_row<"shared_work", "work, node, lease_end, next_at">(session_, work, node, lease_end.ms(), now.ms());
  return true;
}

void NodeStore::finish_work(std::string_view work, std::string_view node, domain::Timestamp next_at) {
  session_.run("UPDATE shared_work SET lease_end = 0, next_at = ? WHERE work = ? AND node = ?", next_at.ms(), work,
               node);
}

}  // namespace tideover::store
