// Hash chains over the append-only tables: every row carries the SHA-256 of its predecessor's hash and its own content,
// so that no row can be changed, taken out, put in or moved without a break that anyone can find. One chain belongs to
// one writing session of one node; a single chain for all would be a row that every writer waits for.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/reconciliation/ledger.hpp"

namespace tideover::ports {

/// How far a chain goes. Position 0 and an empty hash stand before the first row.
struct ChainHead {
  std::string chain;
  std::int64_t position = 0;
  std::string hash;  // 32 bytes
};

/// A row as it is found when a chain is walked: `computed` is what its hash must be, given the stored hash before it.
struct ChainLink {
  std::int64_t position = 0;
  std::string hash;
  std::string computed;
  std::string subject;  // what to call the row in a message: never an identifier of a patient
};

struct LedgerLink : ChainLink {
  std::vector<domain::LedgerEntry> entries;
};

/// How one append-only table is read along its chains.
template <class Link>
class ChainReader {
 public:
  virtual ~ChainReader() = default;
  /// By name, each with its last row.
  virtual std::vector<ChainHead> heads() const = 0;
  /// Position 0 when the chain has no row.
  virtual ChainHead head(const std::string& chain) const = 0;
  /// The rows behind `after`, in order.
  virtual std::vector<Link> links(const ChainHead& after, std::size_t limit) const = 0;
};

}  // namespace tideover::ports
