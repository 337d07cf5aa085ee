// Hash chains of the append-only tables: every row has the SHA-256 of its predecessor's hash and its own content, so
// that a row that was changed, removed, inserted or moved is detected. Each chain belongs to one writing session of one
// node. A single chain would make every writer wait for its last row.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/domain/reconciliation/ledger.hpp"

namespace tideover::ports {

/// The head of a chain. Before the first row: position 0 and an empty hash.
struct ChainHead {
  std::string chain;
  std::int64_t position = 0;
  std::string hash;  // 32 bytes
};

/// A row of a chain. `computed`: what its hash must be, given the stored hash before it.
struct ChainLink {
  std::int64_t position = 0;
  std::string hash;
  std::string computed;
  std::string subject;  // the name of the row in messages; never an identifier of a patient
};

struct LedgerLink : ChainLink {
  std::vector<domain::LedgerEntry> entries;
};

/// Reads an append-only table along its chains.
template <class Link>
class ChainReader {
 public:
  virtual ~ChainReader() = default;
  /// Ordered by name, each with its last row.
  virtual std::vector<ChainHead> heads() const = 0;
  /// Position 0 when the chain has no row.
  virtual ChainHead head(const std::string& chain) const = 0;
  /// The rows after `after`, in order.
  virtual std::vector<Link> links(const ChainHead& after, std::size_t limit) const = 0;
};

}  // namespace tideover::ports
