#include "core/store/node_store.hpp"

#include "core/store/columns.hpp"

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
  session_.run("INSERT INTO nodes (" NODE_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?)", node.name, node.process, node.version,
               node.epoch, node.started_at.ms(), node.lease_end.ms());
  return true;
}

bool NodeStore::renew(std::string_view name, int epoch, domain::Timestamp lease_end) {
  return session_.run("UPDATE nodes SET lease_end = ? WHERE name = ? AND epoch = ?", lease_end.ms(), name, epoch) > 0;
}

}  // namespace tideover::store
