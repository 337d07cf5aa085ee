// Every route of the API in one table: method, pattern, scope, kind of body. Built at start-up, then read-only.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/scope.hpp"
#include "core/http/context.hpp"

namespace tideover::http {

enum class BodyKind {
  none,  // ignored if present
  json,  // required, application/json
  raw,   // the handler reads it
};

/// A parameter of the query. Ids, names and codes are ASCII, and no engine compares such a column with other text.
struct Parameter {
  Parameter(const char* name_given) : name(name_given) {}
  std::string name;
  bool takes_any_text = false;
};
inline Parameter any_text(const char* name) {
  Parameter parameter(name);
  parameter.takes_any_text = true;
  return parameter;
}

struct Route {
  std::string method;
  std::string pattern;                 // "/v1/claims/{claim_id}/status"
  std::optional<domain::Scope> scope;  // nullopt = any authenticated caller
  BodyKind body = BodyKind::none;
  RouteHandler handler;                           // either a handler
  RouteStarter starter = {};                      // or a starter
  bool is_public = false;                         // no bearer token
  bool issues_token = false;                      // errors have the codes of RFC 6749
  bool carries_file = false;                      // the import body limit applies
  bool offers_csv = false;                        // in addition to JSON
  bool offers_ndjson = false;                     // answers are NDJSON; errors are JSON
  bool offers_x12 = false;                        // answers are X12; errors are JSON
  bool offers_pdf = false;                        // in addition to JSON
  std::string only_type = "";                     // the one media type of answers; errors are JSON; empty: JSON
  bool shows_patients = false;                    // each read is written to the audit trail
  bool names_rules = false;                       // stored answers have the header Rules-Version
  std::optional<domain::Scope> explains_to = {};  // further scope for ?explain=true
  int answer_retention_days = 1;                  // how long the answer under an Idempotency-Key is kept
  std::vector<Parameter> parameters = {};         // of the query; others are refused
};

class RouteTable {
 public:
  void add(Route route);
  void add(Route route, std::vector<Parameter> parameters);
  const std::vector<Route>& all() const { return routes_; }

  struct Match {
    const Route* route = nullptr;
    std::vector<std::string> path;     // decoded parameters
    std::vector<std::string> allowed;  // methods of this path; empty: it is unknown
  };
  /// `path` is raw. A malformed percent escape matches nothing. The path `*` has the methods of all paths.
  Match match(std::string_view method, std::string_view path) const;

 private:
  struct Compiled {
    std::vector<std::string> segments;  // empty string = parameter
  };
  std::vector<Route> routes_;
  std::vector<Compiled> compiled_;
};

/// The one raw path of a pattern with these decoded parameters: only what a path segment cannot have is escaped. Each
/// spelling of a path that matches the pattern has the same one.
std::string path_of(std::string_view pattern, const std::vector<std::string>& parameters);

/// Percent-decodes one path segment, or a name or value of a query. nullopt when it is malformed or not UTF-8.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_blank);

}  // namespace tideover::http
