// Reads XML and reports each element by its path, such as Stmt/Acct/Id/IBAN. Elements of other namespaces have no path.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "tideover/sdk.hpp"

namespace camt053 {

class Handler {
 public:
  virtual ~Handler() = default;
  /// `currency`: the attribute Ccy; empty: none.
  virtual void begin(std::string_view path, std::string_view currency, std::int64_t line) = 0;
  /// `text`: the characters of the element, without its inner elements.
  virtual void end(std::string_view path, const std::string& text, std::int64_t line) = 0;
};

/// Paths begin below Document/BkToCstmrStmt. Throws Fault for a file that is not camt.053, is malformed or exceeds a
/// limit, and passes on what the handler throws.
void read_document(std::string_view bytes, const tideover::sdk::Deadline& deadline, Handler& handler);

}  // namespace camt053
